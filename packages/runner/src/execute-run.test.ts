import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeasedRun, RunReport } from '@vedette/schema'
import { executeRun } from './execute-run.ts'
import { TroubleWatch } from './own-trouble.ts'
import { answering, apiSettings, contentOf, leasedRun, listen, runContext } from './testing/builders.ts'

const { dialer } = runContext()

async function execute(run: LeasedRun, watch = new TroubleWatch(), limitMs = 2000): Promise<RunReport> {
  return executeRun(run, performance.now(), { dialer, watch, limitsMs: { API: limitMs } })
}

const at = (port: number) => `http://127.0.0.1:${port}/`
const ok = (body: string, headers = '') =>
  `HTTP/1.1 200 OK\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Holds up the event loop: this is the trouble that the watch is for. */
function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('reports a failure of the target with its detail', async () => {
  const report = await execute(leasedRun({ url: 'http://127.0.0.1:1/' }))
  assert.deepEqual(
    [report.verdict, report.networkError, report.statusCode, report.error],
    ['failed', true, null, 'connect ECONNREFUSED 127.0.0.1:1'],
  )
  assert.equal(contentOf(report)?.requestError, report.error)
  assert.deepEqual([contentOf(report)?.response.status, contentOf(report)?.response.headers], [0, null])
})

test('ends at the limit of the attempt', async (t) => {
  const report = await execute(leasedRun({ url: at(await listen(t, () => {})) }), undefined, 300)
  assert.match(report.error ?? '', /^ETIMEDOUT: no answer within 0.3 s while waiting for headers$/)
  assert.ok(report.durationMs >= 299 && report.durationMs < 550)
})

test('an equal answer has an equal fingerprint, and its detail is kept once', async (t) => {
  const dated = (date: string, body = 'same') => ok(body, `date: ${date}\r\nx-request-id: ${date}\r\nserver: a\r\n`)
  const first = await execute(leasedRun({ url: at(await answering(t, dated('Mon'))) }))
  assert.notEqual(first.detail, null)
  const kept = { fingerprint: first.fingerprint ?? '', ageMs: 60_000 }
  const second = await execute(leasedRun({ url: at(await answering(t, dated('Tue'))) }, { kept }))
  assert.deepEqual([second.fingerprint, second.detail], [first.fingerprint, null])
  const wanted = await execute(leasedRun({ url: at(await answering(t, dated('Tue'))) }, { kept, keepDetail: true }))
  assert.notEqual(wanted.detail, null)
  const changed = await execute(
    leasedRun({ url: at(await answering(t, dated('Tue', 'new'))) }, { kept: { ...kept, ageMs: 400_000 } }),
  )
  assert.notEqual(changed.fingerprint, first.fingerprint)
  assert.notEqual(changed.detail, null)
})

test('keeps 64 KiB of a body, but judges all of it', async (t) => {
  const port = await answering(t, ok(`${'x'.repeat(100_000)}end`))
  const assertions = [{ source: 'TEXT_BODY', comparison: 'CONTAINS', target: 'end' } as const]
  const report = await execute(leasedRun({ url: at(port), assertions }))
  assert.equal(report.verdict, 'passed')
  assert.deepEqual([contentOf(report)?.response.body.length, contentOf(report)?.response.truncated], [64 * 1024, true])
})

test('keeps nothing of binary bodies, and nothing that a database refuses', async (t) => {
  const binary = await execute(
    leasedRun({ url: at(await answering(t, ok('PDF', 'content-type: application/pdf\r\n'))) }),
  )
  assert.equal(contentOf(binary)?.response.body, '')
  const nul = await execute(leasedRun({ url: at(await answering(t, ok('a\0b'))) }))
  assert.equal(contentOf(nul)?.response.body, 'a\ufffdb')
})

test('no secret leaves with a report', async (t) => {
  const canary = 'canary/1"2 3'
  const port = await listen(t, (socket) =>
    socket.once('data', (request) => {
      const head =
        'HTTP/1.1 500 Oops\r\nset-cookie: sid=canary/1"2 3\r\nx-echo: canary/1"2 3\r\nconnection: close\r\n\r\n'
      const echoes = [
        request.toString(),
        canary,
        encodeURIComponent(canary),
        JSON.stringify(canary),
        canary.replaceAll('"', '&quot;'),
        ...['', 'x', 'xx'].map((before) => Buffer.from(`${before}${canary}y`).toString('base64')),
        Buffer.from(canary).toString('hex'),
      ]
      socket.end(`${head}${echoes.join('\n')}`)
    }),
  )
  const request = {
    url: `${at(port)}?x=1`,
    headers: [
      { key: 'X-Mine', value: canary, locked: true },
      { key: 'Cookie', value: 'open-cookie', locked: false },
      { key: 'X-Api-Key', value: 'open-key', locked: false },
      { key: 'X-Plain', value: 'plain', locked: false },
    ],
    queryParameters: [{ key: 'token', value: canary, locked: true }],
    basicAuth: { username: 'eve', password: canary },
    assertions: [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: 'x' } as const],
  }
  const report = await execute(leasedRun(request))
  const text = JSON.stringify(report)
  assert.doesNotMatch(text, /canary|open-cookie|open-key|ZXZlO|2FuYXJ5|YW5hcnkv|jYW5hcn|63616e617279/)
  assert.equal(contentOf(report)?.request.headers['X-Plain'], 'plain')
  assert.equal(contentOf(report)?.request.params.token, '********')
  assert.match(contentOf(report)?.response.href ?? '', /\?x=1&token=\*{8}$/)
})

test('a run that this process slept through is our trouble, unless it passed', async (t) => {
  const watch = new TroubleWatch()
  watch.start()
  t.after(() => watch.stop())
  const port = await listen(t, (socket) =>
    socket.once('data', () => {
      standStill(400)
      socket.end(ok('late'))
    }),
  )
  const slow = await execute(
    { ...leasedRun({}), settings: apiSettings({ url: at(port) }, { maxResponseTime: 300 }) },
    watch,
  )
  assert.equal(slow.verdict, 'error')
  assert.match(slow.error ?? '', /this runner stood still for \d+ ms/)
  assert.equal(slow.overMaxResponseTime, false)
  assert.equal((await execute(leasedRun({ url: at(port) }), watch)).verdict, 'passed')
  const wrong = await execute(
    leasedRun({ url: at(port), assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: 201 }] }),
    watch,
  )
  assert.equal(wrong.verdict, 'failed')
})

test('a busy but healthy process finds no trouble with itself', async (t) => {
  const watch = new TroubleWatch()
  watch.start()
  t.after(() => watch.stop())
  let longest = 0
  for (let turn = 0; turn < 5; turn += 1) {
    const from = performance.now()
    standStill(100)
    await new Promise((resolve) => setTimeout(resolve, 10))
    longest = Math.max(longest, performance.now() - from)
  }
  // Where others keep this process from running, it is not well.
  assert.ok(watch.current === null || longest > 200, `${watch.current}, after ${longest} ms`)
})

test('an unreachable target is our trouble when nothing else can be reached either', async (t) => {
  const alive = { host: '127.0.0.1', port: await listen(t, () => {}) }
  const dead = { host: '127.0.0.1', port: 1 }
  const run = leasedRun({ url: 'http://127.0.0.1:1/' })
  const cutOff = await execute(run, new TroubleWatch({ targets: [dead] }))
  assert.equal(cutOff.verdict, 'error')
  assert.match(cutOff.error ?? '', /network of this runner is gone/)
  assert.equal((await execute(run, new TroubleWatch({ targets: [dead, alive] }))).verdict, 'failed')
})
