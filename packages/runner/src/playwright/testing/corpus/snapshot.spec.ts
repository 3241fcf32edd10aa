import { expect, test } from '@playwright/test'

test('a snapshot that nobody took', async () => {
  expect('a text').toMatchSnapshot('text.txt')
})
test('an inline one', async ({ page }) => {
  await page.setContent('<h1>One</h1><ul><li>Two</li></ul>')
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - heading "One" [level=1]
    - list:
      - listitem: Two
  `)
})
