import { test } from '@playwright/test'

test.use({ baseURL: process.env.SITE ?? '' })
let began = 0
test.beforeEach(() => {
  began = Date.now()
})
test('time runs out in a page', async ({ page }) => {
  await page.goto('/form')
  // From now on, however slow it was so far.
  test.setTimeout(Date.now() - began + 1000)
  await page.getByText('never').waitFor({ timeout: 0 })
})
