import { expect, test } from '@playwright/test'

test.use({ geolocation: { latitude: 48.5, longitude: 2 }, permissions: ['geolocation'], locale: 'de-DE', timezoneId: 'UTC' })

test('another place and another language', async ({ page }) => {
  await page.goto(`${process.env.SITE}/shop/place`)
  await page.getByRole('button').click()
  await expect(page.locator('#place')).toHaveText('48.5')
  await expect(page.locator('#date')).toHaveText('1.1.1970')
})
