import { expect, test } from '@playwright/test'

test.beforeEach(async ({ page }) => {
  await page.goto(`${process.env.SITE}/shop/catalogue`)
})
test('rows of a table', async ({ page }) => {
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(3)
  expect(await rows.locator('td:first-child').allTextContents()).toEqual(['Lantern', 'Rope', 'Compass'])
  await expect(rows.filter({ hasText: 'Rope' })).toContainText('12 €')
})
test('things go into the cart', async ({ page }) => {
  await test.step('two of them', async () => {
    for (const name of ['Lantern', 'Compass'])
      await page.getByRole('row', { name }).getByRole('button', { name: 'Add' }).click()
  })
  await expect.soft(page.locator('output')).toHaveText('2')
  await expect.soft(page.getByRole('heading')).toHaveText('Catalog', { timeout: 200 })
  await expect(page.locator('output')).not.toHaveText('0')
})
