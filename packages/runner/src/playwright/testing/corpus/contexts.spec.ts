import AxeBuilder from '@axe-core/playwright'
import { chromium, devices, expect, test } from '@playwright/test'

const site = process.env.SITE ?? ''

test('a second context has its own cookies', async ({ page, browser }) => {
  await page.goto(`${site}/login`)
  const state = await page.context().storageState()
  const other = await browser.newContext({ storageState: state })
  const again = await other.newPage()
  await again.goto(`${site}/whoami`)
  await expect(again.getByRole('heading')).toHaveText('jo')
  await other.close()
  const stranger = await browser.newPage()
  await stranger.goto(`${site}/whoami`)
  await expect(stranger.getByRole('heading')).toHaveText('nobody')
})
test('a browser by hand', async () => {
  const browser = await chromium.launch()
  const page = await browser.newPage({ ...devices['Pixel 7'] })
  await page.goto(`${site}/form`)
  expect(await page.evaluate(() => navigator.userAgent)).toContain('Android')
  await browser.close()
})
test('accessibility', async ({ page }) => {
  await page.goto(`${site}/form`)
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a']).analyze()
  expect(violations.map(({ id }) => id)).toEqual(['document-title', 'html-has-lang'])
})
test.describe('with options', () => {
  test.use({ viewport: { width: 400, height: 300 }, timezoneId: 'Asia/Tokyo', colorScheme: 'dark' })
  test('of the context', async ({ page, context }) => {
    await page.goto(`${site}/form`)
    expect(page.viewportSize()).toEqual({ width: 400, height: 300 })
    expect(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe('Asia/Tokyo')
    await context.addCookies([{ name: 'a', value: 'b', url: site }])
    expect(await context.cookies()).toHaveLength(1)
  })
})
