import { test } from '@playwright/test'

test.use({ baseURL: process.env.SITE ?? '', actionTimeout: 200 })
test('a button that is not there', async ({ page }) => {
  await page.goto('/form')
  await page.getByRole('button', { name: 'Cancel' }).click()
})
