import { expect, test } from '@playwright/test'

test('what the shop answers is changed on its way', async ({ page }) => {
  await page.route('**/shop/items', async (route) => {
    const response = await route.fetch()
    const items = await response.json()
    await route.fulfill({ response, json: [...items, { name: 'Map', price: 7 }] })
  })
  await page.goto(`${process.env.SITE}/shop/catalogue`)
  await expect(page.getByRole('row', { name: 'Map' })).toBeVisible()
})
test('no images, no trackers', async ({ context, page }) => {
  await context.route(/\.(png|jpe?g)$|tracker/, (route) => route.abort())
  const asked = page.waitForResponse('**/shop/items')
  await page.goto(`${process.env.SITE}/shop/catalogue`)
  const response = await asked
  expect(response.status()).toBe(200)
  expect(response.request().resourceType()).toBe('fetch')
  await response.finished()
  expect(response.request().timing().responseEnd).toBeGreaterThanOrEqual(0)
})
