import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type RunnerOptions, startRunner } from './runner.ts'
import { answering, builtIn, contentOf, leasedRun, listen } from './testing/builders.ts'
import { type ProtocolServer, startProtocolServer } from './testing/protocol-server.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 15\r\n\r\n{"status":"ok"}'

function startTestRunner(t: TestContext, server: ProtocolServer, options: Partial<RunnerOptions> = {}) {
  const runner = startRunner({
    serverUrl: server.url,
    key: 'pl_test',
    name: 'test runner',
    concurrency: 100,
    scriptConcurrency: 2,
    egress: builtIn,
    controlTargets: [],
    controlNames: [],
    logLevel: 'ERROR',
    scriptIsolation: 'required',
    scriptEngine: 'warm',
    chromium: null,
    log: () => {},
    ...options,
  })
  t.after(() => runner.stop())
  return runner
}

test('leases a run, executes it and reports it as passed', async (t) => {
  const server = await startProtocolServer(t)
  const port = await answering(t, OK)
  startTestRunner(t, server)
  const run = leasedRun({
    url: `http://127.0.0.1:${port}/`,
    assertions: [{ source: 'JSON_BODY', comparison: 'EQUALS', property: '$.status', target: 'ok' }],
  })
  server.give(run)
  await server.until(() => server.reports.length === 1)
  const [report] = server.reports
  assert.equal(report?.leaseId, run.leaseId)
  assert.equal(report?.verdict, 'passed')
  assert.equal(report?.statusCode, 200)
  assert.equal(report?.phases?.length, 5)
  assert.equal(contentOf(report)?.response.body, '{"status":"ok"}')
  assert.ok((report?.latenessMs ?? -1) >= 0)
})

test('starts runs at their due time, in the time of the server', async (t) => {
  const server = await startProtocolServer(t)
  const port = await answering(t, OK)
  startTestRunner(t, server)
  const url = `http://127.0.0.1:${port}/`
  const runs = [300, 100, 200].map((dueInMs) => leasedRun({ url }, { dueInMs, dueAtMs: 1_000_000 + dueInMs }))
  server.give(...runs)
  await server.until(() => server.reports.length === 3)
  for (const { leaseId, startedAtMs, latenessMs } of server.reports) {
    const due = runs.find((run) => run.leaseId === leaseId)?.dueAtMs ?? 0
    assert.ok(latenessMs >= 0, `${latenessMs} ms late`)
    assert.ok(Math.abs(startedAtMs - latenessMs - due) < 1, `due at ${due}, started at ${startedAtMs}`)
  }
})

test('keeps results while the server is gone and brings them when it is back', async (t) => {
  const server = await startProtocolServer(t)
  let reached = () => {}
  const isReached = new Promise<void>((resolve) => {
    reached = resolve
  })
  const port = await listen(t, (socket) =>
    socket.once('data', () => {
      server.refuse(0)
      socket.end(OK)
      reached()
    }),
  )
  startTestRunner(t, server)
  const run = leasedRun({ url: `http://127.0.0.1:${port}/` })
  server.give(run)
  await isReached
  setTimeout(() => server.refuse(null), 300)
  await server.until(() => server.reports.length > 0)
  assert.equal(server.reports[0]?.leaseId, run.leaseId)
})

test('signs in again when the server does not know it any more', async (t) => {
  const server = await startProtocolServer(t)
  startTestRunner(t, server)
  await server.until(() => server.signIns === 1)
  server.refuse(410)
  server.give()
  setTimeout(() => server.refuse(null), 100)
  await server.until(() => server.signIns === 2)
})

test('gives up with a reason when its key is refused for good', async (t) => {
  const server = await startProtocolServer(t)
  server.refuse(401)
  const runner = startTestRunner(t, server)
  assert.match((await runner.ended) ?? '', /refuses the location key/)
})

test('notices within seconds that its key was deleted, although it waits for work', async (t) => {
  const server = await startProtocolServer(t)
  const runner = startTestRunner(t, server)
  await server.until(() => server.heartbeats.length === 1)
  server.refuseLater(401)
  const refusedAt = performance.now()
  assert.match((await runner.ended) ?? '', /refuses the location key/)
  assert.ok(performance.now() - refusedAt < 10_000)
})

test('finishes what runs, reports it and signs out when it is told to stop', async (t) => {
  const server = await startProtocolServer(t)
  let stop: Promise<void> | null = null
  const port = await listen(t, (socket) =>
    socket.once('data', () => {
      stop = runner.stop()
      setTimeout(() => socket.end(OK), 100)
    }),
  )
  const runner = startTestRunner(t, server)
  server.give(leasedRun({ url: `http://127.0.0.1:${port}/` }), leasedRun({}, { dueInMs: 2000 }))
  assert.equal(await runner.ended, null)
  await stop
  assert.deepEqual([server.reports.length, server.signOuts], [1, 1])
})

test('says how it keeps scripts apart from its machine, once it has found out', async (t) => {
  const server = await startProtocolServer(t)
  startTestRunner(t, server, { scriptIsolation: 'reduced' })
  const said = () => server.heartbeats.at(-1)?.isolation
  while (said() === undefined) {
    const seen = server.heartbeats.length
    await server.until(() => server.heartbeats.length > seen)
  }
  assert.ok(['strict', 'namespaces', 'reduced'].includes(said()?.level ?? ''))
  assert.deepEqual(server.heartbeats.at(-1)?.scriptLoad, { running: 0, waiting: 0, turnedAway: 0 })
})
