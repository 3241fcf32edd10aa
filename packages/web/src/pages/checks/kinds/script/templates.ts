/** What a new check starts with: it passes against most addresses, and shows how to go on. */
import { completeUrl } from '../api/draft.ts'

const EXAMPLE = 'https://example.org/'

export const multiStepTemplate = (address: string): string => `import { expect, test } from '@playwright/test'

const start = ${quoted(startOf(address))}

test('the service answers', async ({ request }) => {
  const first = await test.step('ask for the start', async () => {
    const response = await request.get(start)
    await expect(response).toBeOK()
    return response
  })

  await test.step('the answer is not empty', async () => {
    const body = await first.text()
    expect(body.length).toBeGreaterThan(0)
  })
})
`

export const browserTemplate = (address: string): string => `import { expect, test } from '@playwright/test'

test('the page opens', async ({ page }) => {
  const response = await page.goto(${quoted(startOf(address))})
  expect(response?.status(), 'the status of the page').toBeLessThan(400)

  await expect(page).toHaveTitle(/./)
  await page.screenshot({ path: 'page.png' })
})
`

const startOf = (address: string): string => (address.trim() === '' ? EXAMPLE : completeUrl(address))

/** As a JavaScript string in single quotes, whatever was typed. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
