import { devices, expect, test } from '@playwright/test'

test.use({ ...devices['Pixel 5'] })

test('on a phone', async ({ page, isMobile }) => {
  await page.goto(`${process.env.SITE}/shop/login`)
  expect(isMobile).toBe(true)
  expect(await page.evaluate(() => navigator.maxTouchPoints)).toBeGreaterThan(0)
  await page.getByLabel('User').tap()
  await expect(page.getByLabel('User')).toBeFocused()
})
