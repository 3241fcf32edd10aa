import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { ASSET_LIMITS, type LeasedRun, type RunReport, routes, type ScriptAsset, type ScriptRun } from '@vedette/schema'
import { sql } from 'kysely'
import { type AssetStore, NoRoom } from '../../assets/asset-store.ts'
import { sweepAssets, sweepOrphans } from '../../assets/sweep.ts'
import { createLog } from '../../log.ts'
import { makeDue } from '../../testing/checks.ts'
import { type FakeRunner, signInRunner } from '../../testing/fake-runner.ts'
import { pathOf, startTestServer, type TestServer } from '../../testing/test-server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const script = "import { test } from '@playwright/test'\ntest('a', () => {})"
const silent = createLog('error', () => {})

async function aRun(t: TestContext, options: { assets?: AssetStore } = {}) {
  const server = await startTestServer(t, options)
  const runner = await signInRunner(server)
  const check = await server.call(routes.createBrowserCheck, {
    body: { name: 'Shop', script, locations: ['eu-west-1'], frequency: 60, retryStrategy: null },
  })
  await makeDue(server, check)
  return { server, runner, check, run: await runner.leaseOne() }
}

interface Upload {
  name?: string
  type?: ScriptAsset['type']
  contentType?: string
  key?: string
}

async function upload(
  { url }: TestServer,
  { key: ownKey }: FakeRunner,
  { leaseId }: Pick<LeasedRun, 'leaseId'>,
  content: string | Uint8Array<ArrayBuffer>,
  { name = '0-trace.zip', type = 'trace', contentType = 'application/zip', key = ownKey }: Upload = {},
): Promise<number> {
  const path = pathOf(routes.uploadAsset, { params: { leaseId, name }, query: { type, contentType } })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' }
  return (await fetch(new URL(path, url), { method: 'PUT', headers, body: content })).status
}

const assetOf = (name: string, type: ScriptAsset['type'], contentType: string, size = 3): ScriptAsset => ({
  ...{ type, name, contentType, size },
  test: 'a',
})

function contentWith(assets: ScriptAsset[]): ScriptRun {
  return {
    status: 'failed',
    startTime: 1,
    endTime: 2,
    runtime: { id: '2025.04', node: '24', playwright: '1.65.1', browser: null, engine: 'warm' },
    errors: [],
    tests: [],
    pages: [],
    console: [],
    failedRequests: [],
    traceSummary: { consoleErrors: 0, networkErrors: 0, documentErrors: 0, userScriptErrors: 0 },
    degraded: null,
    jobLog: [],
    assets,
    leftOut: false,
  }
}

const reporting = (assets: ScriptAsset[]): Partial<RunReport> => ({
  detail: { kind: 'BROWSER', content: contentWith(assets) },
})

const resultIdOf = ({ leaseId }: LeasedRun) => leaseId.split('.').at(-1) ?? ''

/** As seen at the address at which the test reaches the server. */
const here = ({ url }: TestServer, address: string | undefined) => {
  const { pathname, search } = new URL(address ?? '')
  return new URL(pathname + search, url)
}

async function countFiles({ assets }: TestServer): Promise<number> {
  let count = 0
  for await (const _ of assets.list()) count += 1
  return count
}

test('what a run leaves is named in its result, and can be read at the address there', async (t) => {
  const { server, runner, check, run } = await aRun(t)
  assert.equal(await upload(server, runner, run, 'PK3'), 204)
  const shot = { name: '1-shot.png', type: 'screenshot', contentType: 'image/png' } as const
  assert.equal(await upload(server, runner, run, 'png', shot), 204)
  const trace = assetOf('0-trace.zip', 'trace', 'application/zip')
  const lost = assetOf('2-lost.webm', 'video', 'video/webm')
  await runner.report(run, 'failed', reporting([trace, assetOf(shot.name, shot.type, shot.contentType), lost]))
  const params = { checkId: check.id, checkResultId: resultIdOf(run) }
  const { browserCheckResult } = await server.call(routes.getCheckResult, { params })
  const [first, second] = browserCheckResult?.assets ?? []
  assert.deepEqual(
    browserCheckResult?.assets.map(({ name }) => name),
    ['0-trace.zip', '1-shot.png'],
  )
  assert.deepEqual(browserCheckResult?.playwrightTestTraces, [first?.url])
  assert.deepEqual(browserCheckResult?.jobAssets, [second?.url])
  assert.deepEqual(browserCheckResult?.playwrightTestVideos, [])
  assert.match(
    first?.url ?? '',
    new RegExp(`^http://vedette.test/v1/assets/checkRunData/eu-west-1/${server.accountId}/`),
  )
  const read = await fetch(here(server, first?.url))
  assert.deepEqual([read.status, await read.text()], [200, 'PK3'])
  const viewer = new URL(first?.viewer ?? '')
  assert.equal(viewer.pathname, '/trace/')
  assert.equal(new URL(viewer.searchParams.get('trace') ?? '', server.url).href, here(server, first?.url).href)
  assert.equal(second?.viewer, null)
})

test('the manifest of a result lists its files, by type and by name', async (t) => {
  const { server, runner, check, run } = await aRun(t)
  for (const [name, type] of [
    ['0-trace.zip', 'trace'],
    ['1-a.png', 'screenshot'],
    ['2-b.png', 'screenshot'],
  ] as const)
    await upload(server, runner, run, 'abc', { name, type })
  await runner.report(run, 'failed')
  const params = { checkId: check.id, checkResultId: resultIdOf(run) }
  const list = async (query: { type?: ScriptAsset['type'][]; name?: string }) =>
    (await server.call(routes.listResultAssets, { params, query })).assets.map(({ name }) => name)
  assert.deepEqual(await list({}), ['0-trace.zip', '1-a.png', '2-b.png'])
  assert.deepEqual(await list({ type: ['trace'] }), ['0-trace.zip'])
  assert.deepEqual(await list({ type: ['trace', 'screenshot'], name: '*.png' }), ['1-a.png', '2-b.png'])
  const { assets, ...rest } = await server.call(routes.listResultAssets, { params, query: { name: '1-*' } })
  assert.deepEqual(rest, { truncated: false, entriesReturned: 1, entriesTotal: 1 })
  assert.deepEqual(assets[0]?.source, {
    ...{ type: 'check-result', checkId: check.id, checkName: 'Shop', checkType: 'BROWSER' },
    resultId: resultIdOf(run),
  })
})

test('only the runner that holds a lease hands in files of its run, each once', async (t) => {
  const { server, runner, check, run } = await aRun(t)
  const other = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const stranger = other.keys[0]?.rawKey ?? ''
  assert.equal(await upload(server, runner, run, 'abc', { key: stranger }), 404)
  assert.equal(await upload(server, runner, { leaseId: `1.1.${randomUUID()}` }, 'abc'), 404)
  assert.equal(await upload(server, runner, { leaseId: `dry.${randomUUID()}` }, 'abc'), 404)
  assert.equal(await countFiles(server), 0)
  assert.equal(await upload(server, runner, run, 'abc'), 204)
  assert.equal(await upload(server, runner, run, 'another'), 204)
  assert.equal(await countFiles(server), 1)
  await runner.report(run, 'failed', reporting([assetOf('0-trace.zip', 'trace', 'application/zip')]))
  assert.equal(await upload(server, runner, run, 'abc', { name: '1-late.zip' }), 404)
  const { browserCheckResult } = await server.call(routes.getCheckResult, {
    params: { checkId: check.id, checkResultId: resultIdOf(run) },
  })
  assert.equal(await (await fetch(here(server, browserCheckResult?.assets[0]?.url))).text(), 'abc')
})

test('a run leaves no more than its limits', async (t) => {
  const { server, runner, run } = await aRun(t)
  await upload(server, runner, run, 'abc')
  await sql`update result_assets set size = ${ASSET_LIMITS.runBytes - 4}`.execute(server.db)
  assert.equal(await upload(server, runner, run, 'abcd', { name: '1-fits.zip' }), 204)
  assert.equal(await upload(server, runner, run, 'a', { name: '2-too-much.zip' }), 413)
  assert.equal(await countFiles(server), 2)
})

test('a store that is full, or fails, is said to the runner, and nothing is listed', async (t) => {
  let trouble: Error = new NoRoom('The disk is full.')
  const broken: AssetStore = {
    description: 'broken',
    put: () => Promise.reject(trouble),
    read: () => Promise.resolve(null),
    delete: () => Promise.resolve(),
    async *list() {},
  }
  const { server, runner, check, run } = await aRun(t, { assets: broken })
  assert.equal(await upload(server, runner, run, 'abc'), 507)
  trouble = new Error('the bucket is away')
  assert.equal(await upload(server, runner, run, 'abc'), 500)
  await runner.report(run, 'failed')
  const params = { checkId: check.id, checkResultId: resultIdOf(run) }
  assert.deepEqual((await server.call(routes.listResultAssets, { params })).assets, [])
})

test('a file is read with a key of the account or a signature that is good for it, and by nobody else', async (t) => {
  const { server, runner, check, run } = await aRun(t)
  await upload(server, runner, run, 'abc')
  await runner.report(run, 'failed')
  const params = { checkId: check.id, checkResultId: resultIdOf(run) }
  const [asset] = (await server.call(routes.listResultAssets, { params })).assets
  const signed = here(server, asset?.url)
  const plain = new URL(signed.pathname, server.url)
  const status = async (url: URL, key?: string) =>
    (await fetch(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } })).status
  assert.equal(await status(signed), 200)
  assert.equal(await status(plain), 404)
  assert.equal(await status(plain, server.apiKey), 200)
  assert.equal(await status(plain, await server.keyFor('READ_ONLY')), 200)
  assert.equal(await status(plain, await server.keyFor('OWNER', await server.addAccount())), 404)
  assert.equal(await status(plain, runner.key), 404)
  const changed = (name: string, value: string) => {
    const url = new URL(signed)
    url.searchParams.set(name, value)
    return url
  }
  assert.equal(await status(changed('signature', 'A'.repeat(22))), 404)
  assert.equal(await status(changed('expires', String(Number(signed.searchParams.get('expires')) + 1))), 404)
  assert.equal(await status(changed('expires', '1')), 404)
  const elsewhere = new URL(signed)
  elsewhere.pathname = elsewhere.pathname.replace('0-trace', '1-trace')
  assert.equal(await status(elsewhere), 404)
})

test('files are sent as what they may safely be, in parts if so asked', async (t) => {
  const { server, runner, check, run } = await aRun(t)
  const types = {
    'a.png': ['image/png', 'image/png', 'inline'],
    'b.webm': ['video/webm', 'video/webm', 'inline'],
    'c.html': ['text/html', 'application/octet-stream', 'attachment'],
    'd.svg': ['image/svg+xml', 'application/octet-stream', 'attachment'],
    'e.json': ['application/json', 'application/json', 'attachment'],
    'f.txt': ['text/plain', 'text/plain; charset=utf-8', 'attachment'],
  } as const
  for (const [name, [contentType]] of Object.entries(types))
    await upload(server, runner, run, '0123456789', { name, type: 'attachment', contentType })
  await runner.report(run, 'failed')
  const params = { checkId: check.id, checkResultId: resultIdOf(run) }
  const { assets } = await server.call(routes.listResultAssets, { params })
  const urls = new Map(assets.map(({ name, url }) => [name, here(server, url)]))
  for (const [name, [, contentType, disposition]] of Object.entries(types)) {
    const { headers } = await fetch(urls.get(name) ?? '')
    assert.equal(headers.get('content-type'), contentType)
    assert.equal(headers.get('content-disposition'), `${disposition}; filename="${name}"`)
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'private, max-age=31536000, immutable')
  }
  const video = urls.get('b.webm') ?? ''
  const part = await fetch(video, { headers: { range: 'bytes=2-4' } })
  assert.deepEqual(
    [part.status, part.headers.get('content-range'), part.headers.get('content-length'), await part.text()],
    [206, 'bytes 2-4/10', '3', '234'],
  )
  assert.equal((await fetch(video, { headers: { range: 'bytes=10-' } })).status, 416)
  const etag = (await fetch(video)).headers.get('etag') ?? ''
  assert.equal((await fetch(video, { headers: { 'if-none-match': etag } })).status, 304)
})

test('files go when their time has come: first those of runs that passed', async (t) => {
  const { server, runner, check, run } = await aRun(t)
  await upload(server, runner, run, 'abc')
  await runner.report(run, 'failed')
  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const again = await runner.leaseOne()
  await upload(server, runner, again, 'abc')
  await runner.report(again, 'passed')
  const rules = { passedForMs: 7 * DAY_MS, othersForMs: 30 * DAY_MS, maxBytes: 1000 }
  const parts = { db: server.db, assets: server.assets, rules }
  const listed = async () => {
    const of = async (one: LeasedRun) => {
      const params = { checkId: check.id, checkResultId: resultIdOf(one) }
      return (await server.call(routes.listResultAssets, { params })).assets.length
    }
    return [await of(run), await of(again), await countFiles(server)]
  }
  const nothing = { unreachable: 0, expired: 0, crowdedOut: 0 }
  assert.deepEqual(await sweepAssets(parts, Date.now() + 6 * DAY_MS), nothing)
  assert.deepEqual(await listed(), [1, 1, 2])
  const tight = { ...parts, rules: { ...rules, maxBytes: 5 } }
  assert.deepEqual(await sweepAssets(tight, Date.now()), { ...nothing, crowdedOut: 1 })
  assert.deepEqual(await listed(), [1, 0, 1])
  assert.deepEqual(await sweepAssets(parts, Date.now() + 31 * DAY_MS), { ...nothing, expired: 1 })
  assert.deepEqual(await listed(), [0, 0, 0])
})

test('what nobody can reach is swept: of checks that are gone, of runs never reported, of uploads that broke off', async (t) => {
  const { server, runner, check, run } = await aRun(t)
  const parts = {
    db: server.db,
    assets: server.assets,
    rules: { passedForMs: DAY_MS, othersForMs: DAY_MS, maxBytes: 1000 },
  }
  const age = () => sql`update result_assets set created_at = now() - interval '2 hours'`.execute(server.db)
  const sweep = async () => (await sweepAssets(parts, Date.now())).unreachable
  await upload(server, runner, run, 'abc')
  await age()
  assert.equal(await sweep(), 0, 'the run is still in hand')
  await sql`update schedule set lease_id = null, runner_id = null`.execute(server.db)
  assert.equal(await sweep(), 1)
  assert.equal(await countFiles(server), 0)

  const second = await runner.leaseOne()
  await upload(server, runner, second, 'abc')
  await sql`update result_assets set stored_at = null`.execute(server.db)
  await runner.report(second, 'failed')
  await age()
  assert.equal(await sweep(), 1)

  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const third = await runner.leaseOne()
  await upload(server, runner, third, 'abc')
  await runner.report(third, 'failed')
  assert.equal(await sweep(), 0)
  await server.call(routes.deleteCheck, { params: { id: check.id } })
  assert.equal(await sweep(), 1)
  assert.equal(await countFiles(server), 0)
})

test('files that no row knows of are found and deleted once they are old, and nothing else is', async (t) => {
  const { server, runner, run } = await aRun(t)
  await upload(server, runner, run, 'abc')
  await server.assets.put('ab/cd/ab012345-1111-4111-8111-111111111111', Readable.from(['lost']), 4)
  assert.equal(await countFiles(server), 2)
  assert.equal(await sweepOrphans(server, Date.now(), silent), 0)
  assert.equal(await sweepOrphans(server, Date.now() + 2 * DAY_MS, silent), 1)
  assert.equal(await countFiles(server), 1)
})

test('a file that breaks off on its way leaves nothing on the disk', async (t) => {
  const { server } = await aRun(t)
  const broken = new Readable({
    read() {
      this.push('half')
      this.destroy(new Error('the runner is gone'))
    },
  })
  await assert.rejects(server.assets.put('ab/cd/ab012345-1111-4111-8111-111111111111', broken, 100), /gone/)
  const entries = await readdir(server.assets.description, { recursive: true, withFileTypes: true })
  assert.deepEqual(
    entries.filter((entry) => entry.isFile()),
    [],
  )
})
