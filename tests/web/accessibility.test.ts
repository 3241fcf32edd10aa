/** Every page in both themes, and on a phone. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { selfSigned } from '../../packages/server/src/testing/certificates.ts'
import { until, type Vedette } from '../start-vedette.ts'
import { startTlsShop } from '../tls-shop.ts'
import { openSignedIn, send } from './browser.ts'
import { startTarget } from './target.ts'

/** What axe answers, as far as it is read here. */
interface AxeResults {
  violations: { id: string; impact: string; help: string; nodes: { html: string; failureSummary: string }[] }[]
}

test('every page', async (t) => {
  const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  const { page, paths } = await openFurnished(t)

  for (const path of paths) {
    await t.test(`${path} has no serious trouble with accessibility, nor scrolls sideways on a phone`, async () => {
      await page.setViewportSize({ width: 1280, height: 860 })
      await open(page, path)
      for (const summary of await page.locator('main details:not([open]) > summary').all()) {
        if (await summary.isVisible()) await summary.click()
      }
      await page.evaluate(axe)
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await page.locator(`html[data-theme="${theme}"]`).waitFor()
        const { violations } = await page.evaluate<AxeResults>('axe.run()')
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        assert.deepEqual(serious.map(inWords), [], `in the ${theme} theme`)
      }
      for (const width of [390, 360]) {
        await page.setViewportSize({ width, height: 800 })
        const needed = await page.evaluate<number>('document.documentElement.scrollWidth')
        assert.ok(needed <= width, `it needs ${needed} pixels of ${width}`)
      }
    })
  }
})

/** An installation with something on every page. */
async function openFurnished(t: Parameters<typeof openSignedIn>[0]): Promise<{ page: Page; paths: string[] }> {
  const target = await startTarget(t)
  const { page, vedette } = await openSignedIn(t, { env: { SCRIPT_ISOLATION: 'reduced' } })
  await send(vedette, '/v1/alert-channels', {
    type: 'WEBHOOK',
    config: { name: 'Operations room', url: `${target.url}/a/hook/with/quite/a/long/path/that/does/not/end/soon` },
    autoSubscribe: true,
  })
  await send(vedette, '/v1/private-locations', { name: 'Office in Lisbon', slugName: 'office-lisbon' })
  const snippet = await addShared(vedette)
  const group = await addGroup(vedette, snippet)
  const good = await addCheck(
    vedette,
    'A check with a long name that hardly fits on the line of a phone',
    target.url,
    '1.2.3',
    group,
  )
  const heartbeat = await addHeartbeat(vedette)
  const { id: browser } = await send<{ id: string }>(vedette, '/v1/checks/browser', {
    name: 'Buying a lantern',
    groupId: group,
    script: '',
    scriptPath: 'checkout/quite/a/long/path/buy-a-lantern.spec.ts',
  })
  const bad = await addCheck(vedette, 'Broken', target.url, '9.9.9')
  const ssl = await addSslCheck(vedette, await startTlsShop(t))
  const runs = await Promise.all([good, bad, ssl].map((id) => firstResult(vedette, id)))
  const [goodRun, badRun, sslRun] = runs
  return {
    page,
    paths: [
      '/',
      '/checks/new',
      `/checks/${good}`,
      `/checks/${bad}`,
      `/checks/${good}/edit`,
      `/checks/${heartbeat}`,
      `/checks/${browser}`,
      '/groups',
      '/groups/new',
      `/groups/${group}`,
      `/groups/${group}/edit`,
      `/checks/${good}/results/${goodRun}`,
      `/checks/${bad}/results/${badRun}`,
      `/checks/${ssl}/edit`,
      `/checks/${ssl}/results/${sslRun}`,
      '/alerts',
      '/locations',
      '/operations',
      '/settings',
      '/settings/variables',
      '/settings/snippets',
      '/settings/snippets/new',
      `/settings/snippets/${snippet}`,
      '/settings/client-certificates',
    ],
  }
}

/** Variables, a certificate and a snippet that says something of every level; answers the id of the snippet. */
async function addShared(vedette: Vedette): Promise<number> {
  const long = 'A_NAME_OF_A_VARIABLE_THAT_HARDLY_FITS_ON_THE_LINE_OF_A_PHONE'
  await send(vedette, '/v1/variables', { key: long, value: 'a value that hardly fits there either '.repeat(5) })
  await send(vedette, '/v1/variables', { key: 'LOCKED', value: 'lantern', locked: true })
  await send(vedette, '/v1/variables', { key: 'SECRET', value: 'lantern', secret: true })
  await send(vedette, '/v1/client-certificates', { host: `*.${'long-'.repeat(12)}.example.org`, ...selfSigned() })
  const { id } = await send<{ id: number }>(vedette, '/v1/snippets', {
    name: 'say-something-with-a-long-name-that-hardly-fits-on-the-line-of-a-phone',
    script: `for (const level of ['debug', 'info', 'warn', 'error']) console[level]('${'said-'.repeat(30)}')`,
  })
  return id
}

async function addGroup(vedette: Vedette, setupSnippetId: number): Promise<number> {
  const { id } = await send<{ id: number }>(vedette, '/v2/check-groups', {
    name: 'A group with a long name that hardly fits on the line of a phone',
    setupSnippetId,
    localTearDownScript: 'console.log(request.url)',
    environmentVariables: [{ key: 'TOKEN', value: 'lantern', secret: true }],
    description: 'Everything that sells.',
    tags: ['sells'],
    locations: ['us-east-1', 'eu-central-1'],
    runParallel: true,
    muted: true,
    retryStrategy: { type: 'LINEAR', maxRetries: 1, baseBackoffSeconds: 1 },
    useGlobalAlertSettings: true,
    apiCheckDefaults: { headers: [{ key: 'x-team', value: 'shop', locked: true }] },
  })
  return id
}

async function addHeartbeat(vedette: Vedette): Promise<string> {
  const { id, heartbeat } = await send<{ id: string; heartbeat: { pingUrl: string } }>(
    vedette,
    '/v1/checks/heartbeat',
    { name: 'Nightly backup', heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } },
  )
  await fetch(vedette.url + new URL(heartbeat.pingUrl).pathname)
  return id
}

async function addCheck(
  vedette: Vedette,
  name: string,
  url: string,
  version: string,
  groupId: number | null = null,
): Promise<string> {
  const assertions = [{ source: 'JSON_BODY', property: '$.version', comparison: 'EQUALS', target: version }]
  const { id } = await send<{ id: string }>(vedette, '/v1/checks/api', {
    name,
    tags: ['shop', 'critical'],
    groupId,
    request: { method: 'GET', url, assertions },
  })
  await send(vedette, '/v1/check-sessions/trigger', { target: { checkId: id } })
  return id
}

async function addSslCheck(vedette: Vedette, port: number): Promise<string> {
  const { id } = await send<{ id: string }>(vedette, '/v1/checks/ssl', {
    name: 'Certificate of a shop',
    request: { sslConfig: { hostname: 'localhost', port } },
  })
  return id
}

async function firstResult({ url, apiKey }: Vedette, checkId: string): Promise<string> {
  let id = ''
  await until('the check has a result', async () => {
    const response = await fetch(`${url}/v2/check-results/${checkId}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    const page: { entries: { id: string }[] } = JSON.parse(await response.text())
    id = page.entries[0]?.id ?? ''
    return id !== ''
  })
  return id
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await until(`${path} has loaded`, async () => (await page.getByText('Loading', { exact: true }).count()) === 0)
}

const inWords = ({ id, help, nodes }: AxeResults['violations'][number]): string =>
  `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`
