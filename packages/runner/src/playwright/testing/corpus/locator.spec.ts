import { expect, test } from '@playwright/test'

test.use({ baseURL: process.env.SITE ?? '' })
test('text that is not there', async ({ page }) => {
  await page.goto('/form')
  await expect(page.getByRole('heading')).toHaveText('Another', { timeout: 200 })
})
