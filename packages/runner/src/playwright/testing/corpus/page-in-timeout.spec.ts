import { test } from '@playwright/test'

test.use({ baseURL: process.env.SITE ?? '' })
test('time runs out in a page', async ({ page }) => {
  test.setTimeout(2500)
  await page.goto('/form')
  await page.getByText('never').waitFor({ timeout: 0 })
})
