import { expect, test } from '@playwright/test'

test('a card is dragged, and keys are heard', async ({ page }) => {
  await page.goto(`${process.env.SITE}/shop/board`)
  await page.locator('#card').hover()
  await expect(page.locator('#card')).toHaveAttribute('title', 'seen')
  await page.locator('#card').dragTo(page.locator('#done'))
  await expect(page.locator('#done')).toHaveText('Ship it')
  await page.keyboard.press('Control+k')
  await expect(page).toHaveTitle('Search')
})
