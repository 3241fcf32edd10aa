import { expect, test } from '@playwright/test'

test.use({ baseURL: process.env.SITE ?? '', actionTimeout: 1500 })

test.fail('a button that is not there', async ({ page }) => {
  await page.goto('/form')
  await page.getByRole('button', { name: 'Cancel' }).click()
})
test.fail('two of a kind', async ({ page }) => {
  await page.goto('/twins')
  await page.getByRole('button').click()
})
test.fail('a page of nobody', async ({ page }) => {
  await page.goto('http://127.0.0.1:1/')
})
test.fail('an error in the page', async ({ page }) => {
  await page.goto('/form')
  await page.evaluate(() => {
    throw new Error('in the page')
  })
})
test('text that is not there', async ({ page }) => {
  await page.goto('/form')
  await expect(page.getByRole('heading')).toHaveText('Another', { timeout: 1500 })
})
