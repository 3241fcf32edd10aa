import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { CODE_BUNDLE_PATH, type CodeBundle, routes } from '@vedette/schema'
import { sql } from 'kysely'
import { addBundle, bundleKey } from '../../bundles/store.ts'
import { sweepBundles } from '../../bundles/sweep.ts'
import { makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { archiveOf, type Entry, projectOf } from '../../testing/tar.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const PATH = routes.uploadPlaywrightBundle.path

interface UploadOptions {
  key?: string
  type?: string
}

function upload(server: TestServer, archive: Buffer, { key, type = 'application/gzip' }: UploadOptions = {}) {
  const headers = { 'content-type': type }
  return server.send('POST', PATH, { ...(key === undefined ? {} : { key }), headers, text: Uint8Array.from(archive) })
}

async function uploaded(server: TestServer, archive: Buffer): Promise<CodeBundle> {
  const { status, body } = await upload(server, archive)
  assert.equal(status, 201, JSON.stringify(body))
  return Object(body)
}

async function read(server: TestServer, accountId: string, sha256: string): Promise<Buffer | null> {
  const stream = await server.assets.read(bundleKey(accountId, sha256), null)
  return stream === null ? null : Buffer.concat(await stream.toArray())
}

const bundles = ({ db }: TestServer) =>
  db.selectFrom('code_bundles').select(['account_id', 'sha256']).orderBy('created_at').execute()

test('an archive is kept as it came, once for each account, under a path that follows from its bytes', async (t) => {
  const server = await startTestServer(t)
  const archive = projectOf({ 'playwright.config.ts': 'export default {}', 'tests/a.spec.ts': '' })
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const first = await uploaded(server, archive)
  assert.deepEqual(
    [first.codeBundlePath, first.sha256, first.size, first.files],
    [`bundles/${sha256}.tar.gz`, sha256, archive.length, 2],
  )
  assert.deepEqual(await uploaded(server, archive), first)
  const strangers = await server.addAccount()
  const theirs = await upload(server, archive, {
    key: await server.keyFor('READ_WRITE', strangers),
    type: 'application/octet-stream',
  })
  assert.equal(theirs.status, 201)
  assert.equal((await bundles(server)).length, 2)
  for (const account of [server.accountId, strangers]) assert.deepEqual(await read(server, account, sha256), archive)
})

test('who may not change checks may not upload, and a check takes only bundles of its own account', async (t) => {
  const server = await startTestServer(t)
  const archive = projectOf({ 'a.spec.ts': '' })
  assert.equal((await upload(server, archive, { key: await server.keyFor('READ_RUN') })).status, 403)
  const { codeBundlePath } = await uploaded(server, archive)
  const stranger = await server.keyFor('ADMIN', await server.addAccount())
  const body = { name: 'Suite', codeBundlePath }
  const refused = await server.send('POST', routes.createPlaywrightCheck.path, { key: stranger, body })
  assert.equal(refused.status, 400)
  assert.deepEqual(Object(refused.body).validation, { source: 'payload', keys: ['codeBundlePath'] })
  await server.call(routes.createPlaywrightCheck, { body })
})

const OF: { [what: string]: [readonly Entry[], RegExp] } = {
  'a path that climbs': [[{ path: 'a/../../x' }], /"a\/\.\.\/\.\.\/x", which leads out of its folder/],
  'an absolute path': [[{ path: '/etc/passwd' }], /"\/etc\/passwd", which must be relative/],
  'a path of another system': [[{ path: 'C:/x' }], /"C:\/x", which must be relative/],
  'a backslash': [[{ path: 'a\\..\\x' }], /characters that no path here may have/],
  'a link that climbs': [
    [{ path: 'a/l', type: '2', target: '../../x' }],
    /link "a\/l" to "\.\.\/\.\.\/x", which leads out/,
  ],
  'an absolute link': [[{ path: 'l', type: '2', target: '/etc' }], /link "l" to "\/etc", which must be relative/],
  'a link that climbs by another': [
    [
      { path: 'deep/up', type: '2', target: '..' },
      { path: 'out', type: '2', target: 'deep/up/../x' },
    ],
    /link "out" to "deep\/up\/\.\.\/x", which leads out/,
  ],
  'a file behind a link': [
    [
      { path: 'l', type: '2', target: 'a' },
      { path: 'l/x', body: 'x' },
    ],
    /"l\/x" below "l", which is a link/,
  ],
  'a hard link': [[{ path: 'h', type: '1', target: 'x' }], /a hard link, "h"/],
  'a device': [[{ path: 'null', type: '3' }], /a character device, "null"/],
  'a pipe': [[{ path: 'p', type: '6' }], /a named pipe, "p"/],
  'one path twice': [[{ path: 'a' }, { path: './a' }], /"a" twice/],
  'no files': [[{ path: 'a/', type: '5' }], /has no files/],
  'a very long path': [[{ path: `${'x/'.repeat(700)}y` }], /longer than 1000/],
}

test('an archive that could do harm is refused by the name of what is in it, and nothing is kept', async (t) => {
  const server = await startTestServer(t)
  for (const [what, [entries, reason]] of Object.entries(OF)) {
    const honest: Entry[] = what === 'no files' ? [] : [{ path: 'honest.spec.ts' }]
    await refuses(server, archiveOf([...honest, ...entries]), reason, what)
  }
  const whole = projectOf({ 'a.spec.ts': 'x'.repeat(5000) })
  await refuses(server, Buffer.from('no archive at all'), /not compressed with gzip/, 'a text')
  await refuses(server, gzipSync('x'.repeat(2000)), /no tar file/, 'a text in gzip')
  await refuses(server, whole.subarray(0, whole.length - 20), /cut off/, 'a piece')
  await refuses(server, Buffer.alloc(0), /empty/, 'nothing')
  assert.equal((await upload(server, whole, { type: 'application/json' })).status, 400)
  assert.deepEqual(await bundles(server), [])
  assert.deepEqual(server.log, [])
})

async function refuses(server: TestServer, archive: Buffer, reason: RegExp, what: string): Promise<void> {
  const { status, body } = await upload(server, archive)
  assert.equal(status, 400, what)
  assert.match(Object(body).message, reason, what)
  assert.deepEqual(Object(body).validation, { source: 'payload', keys: [] })
}

test('an archive that is too much is refused before it is unpacked, however small it comes', async (t) => {
  const server = await startTestServer(t)
  const many = Array.from({ length: 10_001 }, (_, index) => ({ path: `f${index}` }))
  await refuses(server, archiveOf(many), /more than 10000 files/, 'files')
  const folders = Array.from({ length: 20_001 }, (_, index) => ({ path: `d${index}/`, type: '5' }))
  await refuses(server, archiveOf(folders), /more than 20000 entries/, 'folders')
  const huge = archiveOf([{ path: 'huge', size: 300 * 1024 * 1024 }])
  await refuses(server, huge, /more than 200 MiB/, 'one that says that it is huge')
  const zeros = gzipSync(Buffer.concat([Buffer.alloc(300 * 1024 * 1024)]), { level: 1 })
  await refuses(server, zeros, /more than 200 MiB/, 'a bomb of nothing')
  const large = await upload(server, Buffer.concat([projectOf({ a: '' }), Buffer.alloc(51 * 1024 * 1024, 1)]))
  assert.ok(large.status === 413 || large.status === 400, JSON.stringify(large.body))
  assert.deepEqual(await bundles(server), [])
})

async function leaseSuite(t: TestContext) {
  const server = await startTestServer(t)
  const archive = projectOf({ 'a.spec.ts': '' })
  const { codeBundlePath, sha256 } = await uploaded(server, archive)
  const check = await server.call(routes.createPlaywrightCheck, {
    body: {
      name: 'Suite',
      codeBundlePath,
      locations: ['us-east-1'],
      testCommand: 'npx playwright test -g buys',
      workingDir: './e2e/',
      timeout: 90,
    },
  })
  await makeDue(server, check)
  const runner = await signInRunner(server)
  return { server, archive, sha256, check, runner, run: await runner.leaseOne() }
}

test('a runner is told what to run, and fetches the bundle with the lease that it holds', async (t) => {
  const { server, archive, sha256, runner, run } = await leaseSuite(t)
  assert.deepEqual(run.settings, {
    ...{ runtimeId: '2025.04', bundle: sha256, workingDir: 'e2e', args: ['-g', 'buys'], hasPages: true },
    ...{ limitMs: 90_000, shouldFail: false, degradedResponseTime: null, maxResponseTime: null },
  })
  const told = new Map(run.variables.map(({ key, value }) => [key, value]))
  assert.deepEqual(
    ['SERVICE', 'SERVICE_REGION', 'SERVICE_RUN_SOURCE', 'CI', 'RUNTIME_VERSION'].map((key) => told.get(key)),
    ['1', 'us-east-1', 'SCHEDULE', undefined, '2025.04'],
  )
  const fetched = async (leaseId: string, runnerId = runner.id, key = runner.key, hash = sha256) => {
    const query = new URLSearchParams({ runnerId: String(runnerId), leaseId })
    const answer = await fetch(new URL(`/runner/v1/bundles/${hash}?${query}`, server.url), {
      headers: { authorization: `Bearer ${key}` },
    })
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  assert.deepEqual(await fetched(run.leaseId), { status: 200, bytes: archive })
  const other = await signInRunner(server)
  assert.equal((await fetched(run.leaseId, other.id, other.key)).status, 404)
  assert.equal((await fetched(run.leaseId.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status, 404)
  assert.equal((await fetched('no lease')).status, 404)
  assert.equal((await fetched(run.leaseId, runner.id, runner.key, 'cd'.repeat(32))).status, 404)
  assert.equal((await fetched(run.leaseId, runner.id, server.apiKey)).status, 401)
  await runner.report(run, 'passed')
  assert.equal((await fetched(run.leaseId)).status, 404)
})

test('bundles that no check uses make room for others, and those in use are never more than there is room for', async (t) => {
  const { server, sha256 } = await leaseSuite(t)
  const [old, older] = ['cd'.repeat(32), 'ef'.repeat(32)]
  const hashes = async () => (await bundles(server)).map((bundle) => bundle.sha256).toSorted()
  for (const one of [older, old]) {
    await addBundle(server.db, server.accountId, { sha256: one, size: 1_700_000_000, files: 1 })
    await server.assets.put(bundleKey(server.accountId, one), Readable.from([Buffer.from('x')]), 1)
  }
  // Larger than any single one may be.
  const growTo = (size: number, used: readonly string[]) =>
    server.db.updateTable('code_bundles').set({ size }).where('sha256', 'in', used).execute()
  await growTo(2_147_000_000, [sha256])
  const { sha256: next } = await uploaded(server, projectOf({ 'next.spec.ts': '' }))
  assert.deepEqual(await hashes(), [sha256, old, next].toSorted(), 'the longest unused has gone')
  assert.equal(await read(server, server.accountId, older), null)

  for (const one of [old, next])
    await server.call(routes.createPlaywrightCheck, {
      body: { name: 'Suite', codeBundlePath: CODE_BUNDLE_PATH.of(one) },
    })
  await growTo(2_147_000_000, [sha256, old, next])
  const { status, body } = await upload(server, projectOf({ 'more.spec.ts': '' }))
  assert.equal(status, 409)
  assert.match(Object(body).message, /^Checks use bundles of 5 GiB already/)
  assert.deepEqual(await hashes(), [sha256, old, next].toSorted())
  assert.notEqual(await read(server, server.accountId, old), null)
})

test('a bundle that no check has used for 30 days is removed, and comes back by another upload', async (t) => {
  const { server, archive, sha256, check } = await leaseSuite(t)
  const spare = projectOf({ 'b.spec.ts': '' })
  const { sha256: spareHash } = await uploaded(server, spare)
  const grow = (days: number) =>
    sql`update code_bundles set last_used_at = last_used_at - ${days} * interval '1 day'`.execute(server.db)
  await grow(29)
  assert.equal(await sweepBundles(server.db, server.assets), 0)
  await grow(2)
  assert.equal(await sweepBundles(server.db, server.assets), 1)
  assert.equal(await read(server, server.accountId, spareHash), null)
  assert.deepEqual(await read(server, server.accountId, sha256), archive)
  await uploaded(server, spare)
  assert.deepEqual(await read(server, server.accountId, spareHash), spare)

  await server.call(routes.deleteCheck, { params: { id: check.id } })
  await grow(31)
  assert.equal(await sweepBundles(server.db, server.assets), 2)
  assert.deepEqual(await bundles(server), [])
})
