import { test } from '@playwright/test'

test('a page of nobody', async ({ page }) => {
  await page.goto('http://127.0.0.1:1/')
})
