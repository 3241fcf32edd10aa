import { test } from '@playwright/test'

test.use({ baseURL: process.env.SITE ?? '' })
test('two of a kind', async ({ page }) => {
  await page.goto('/twins')
  await page.getByRole('button').click()
})
