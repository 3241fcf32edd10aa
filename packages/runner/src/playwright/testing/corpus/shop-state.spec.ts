import { expect, test } from '@playwright/test'

const state = 'signed-in.json'

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  await page.goto(`${process.env.SITE}/shop/session?user=grace&password=open sesame`)
  await page.context().storageState({ path: state })
  await page.close()
})
test.describe('signed in', () => {
  test.use({ storageState: state })
  test('orders are seen', async ({ page }) => {
    await page.goto(`${process.env.SITE}/shop/me`)
    await expect(page.getByRole('heading')).toHaveText('grace’s orders')
  })
})
test('nobody sees them without', async ({ page }) => {
  await page.goto(`${process.env.SITE}/shop/me`)
  await expect(page.getByRole('heading')).toHaveText('Please sign in')
})
