/** What a failing script leaves, from its run to a viewer of traces. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { CheckResult } from '@vedette/schema'
import { strFromU8, unzipSync } from 'fflate'
import { startVedette, until, type Vedette } from '../start-vedette.ts'
import { openPage, openSignedIn, send } from './browser.ts'

const CANARY = 'canary-7c1e-"quoted"'
const TRACES = /canary-7c1e|Y2FuYXJ5LTdjMW/

/** A shop that repeats what it is told. */
async function startShop(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    const told = String(request.headers['x-token'] ?? '')
    response.end(`<title>Shop</title><h1>Hello</h1><p>${told}</p><script>globalThis.ran = true</script>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The shop has no port')
  return `http://127.0.0.1:${address.port}/`
}

/** With PORT=0 only the listening socket knows the port. */
function here({ url }: Vedette, address: string): string {
  const { pathname, search } = new URL(address)
  return new URL(pathname + search, url).href
}

async function resultOf({ url, apiKey }: Vedette, checkId: string): Promise<CheckResult> {
  const get = async <Answer>(path: string): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
    return JSON.parse(await answer.text())
  }
  let found: CheckResult | undefined
  await until(
    'the run has ended',
    async () => {
      const page = await get<{ entries: CheckResult[] }>(`/v2/check-results/${checkId}`)
      found = page.entries[0]
      return found !== undefined
    },
    120_000,
  )
  if (found === undefined) throw new Error('There is no result.')
  return get(`/v1/check-results/${checkId}/${found.id}`)
}

test('a failing script leaves a trace that the viewer shows, without a secret', async (t) => {
  const shop = await startShop(t)
  const { page: results, vedette } = await openSignedIn(t, {
    env: { SCRIPT_ISOLATION: 'reduced', LOCATIONS: 'eu-west-1' },
  })
  const script = `import { test, expect } from '@playwright/test'
test('buys a lantern', async ({ page, request }) => {
  await request.get('${shop}', { headers: { 'x-token': process.env.TOKEN } })
  await test.step('open the shop', async () => {
    await page.setExtraHTTPHeaders({ 'x-token': process.env.TOKEN })
    await page.goto('${shop}')
  })
  await expect(page.getByRole('heading')).toHaveText('Goodbye', { timeout: 300 })
})`
  const { id } = await send<{ id: string }>(vedette, '/v1/checks/browser', {
    ...{ name: 'Shop', script, locations: ['eu-west-1'], frequency: 60, retryStrategy: null },
    environmentVariables: [{ key: 'TOKEN', value: CANARY, locked: true, secret: true }],
  })
  await send(vedette, '/v1/check-sessions/trigger', { target: { checkId: id } })
  const { id: resultId, browserCheckResult: kept, errorMessage } = await resultOf(vedette, id)
  assert.match(errorMessage ?? '', /Goodbye/)
  const types = new Set(kept?.assets.map(({ type }) => type))
  assert.ok(types.has('trace') && types.has('screenshot'), JSON.stringify(kept?.assets ?? kept?.jobLog))

  await t.test('every file can be read by its address, and none holds the secret', async () => {
    for (const { url, size, name, type } of kept?.assets ?? []) {
      const answer = await fetch(here(vedette, url))
      const bytes = new Uint8Array(await answer.arrayBuffer())
      assert.deepEqual([answer.status, bytes.length], [200, size], name)
      const contents = type === 'trace' ? Object.values(unzipSync(bytes)) : [bytes]
      for (const content of contents) assert.doesNotMatch(strFromU8(content, true), TRACES, name)
    }
    const [trace] = kept?.playwrightTestTraces ?? []
    const entries = unzipSync(new Uint8Array(await (await fetch(here(vedette, trace ?? ''))).arrayBuffer()))
    assert.match(
      Object.values(entries)
        .map((content) => strFromU8(content, true))
        .join(),
      /\*{8}/,
    )
  })

  await t.test('its page shows the screenshot, by whatever name of the server it was opened', async () => {
    await results.goto(`${vedette.url}/checks/${id}/results/${resultId}`)
    const picture = results.getByRole('img', { name: /^Screenshot/ }).first()
    await picture.scrollIntoViewIfNeeded()
    await until('the screenshot is there', () =>
      picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth),
    )
  })

  await t.test('the viewer shows its steps, and the page as it was', async (t) => {
    const viewer = kept?.assets.find(({ type }) => type === 'trace')?.viewer ?? ''
    const page = await openPage(t, here(vedette, viewer))
    await page.getByText('open the shop').first().waitFor()
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/trace-viewer-0.png` })
    await page.getByText('Expect "toHaveText"').first().click()
    await page.frameLocator('iframe.snapshot-visible').getByRole('heading', { name: 'Hello' }).waitFor()
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/trace-viewer.png` })
  })
})

test('what the viewer makes out of a trace cannot act on our origin, and it asks no other', async (t) => {
  const vedette = await startVedette(t, { env: { LOCATIONS: 'none' } })
  const page = await openPage(t, `${vedette.url}/trace/`)
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  await page.reload()
  const policyOf = (path: string) =>
    page.evaluate(async (asked) => (await fetch(asked)).headers.get('content-security-policy'), path)
  assert.match((await policyOf('ping')) ?? '', /^sandbox; default-src 'none'/)
  assert.match((await policyOf('sw.bundle.js')) ?? '', /connect-src 'self';.*frame-ancestors 'none'/)
})
