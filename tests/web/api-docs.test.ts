/** The rendered description of the API. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startVedette } from '../start-vedette.ts'
import { openPage } from './browser.ts'

interface Description {
  tags: unknown[]
  paths: Record<string, Record<string, { tags: string[] }>>
}

test('/docs shows every area, opens the operation of a link, and breaks no rule of the page', async (t) => {
  const vedette = await startVedette(t, { env: { LOCATIONS: 'none' } })
  const page = await openPage(t, `${vedette.url}/docs#/Checks/createApiCheck`)
  await page.locator('.opblock').first().waitFor({ timeout: 60_000 })
  const description: Description = JSON.parse(await (await fetch(`${vedette.url}/openapi.json`)).text())
  assert.equal(await page.locator('.opblock-tag-section').count(), description.tags.length)
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
  const ofChecks = operations.filter(({ tags }) => tags.includes('Checks'))
  assert.equal(await page.locator('.opblock').count(), ofChecks.length)

  const opened = page.locator('.opblock.is-open')
  await opened.getByText('Who may call it:').waitFor()
  await opened.getByText('"url": "https://shop.example.org/api/orders"').first().waitFor()
  assert.equal(await page.getByText('Could not resolve reference').count(), 0)
})
