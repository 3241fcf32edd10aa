/** What is told of runs whose answer equals one kept before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RunReport, routes } from '@vedette/schema'
import { makeDue, resultsOf } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const places = { locations: ['us-east-1' as const], retryStrategy: null }

async function twice(server: TestServer, check: { id: string }, first: Partial<RunReport>, second: Partial<RunReport>) {
  const runner = await signInRunner(server)
  for (const report of [first, second]) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), 'passed', { statusCode: null, fingerprint: 'same', ...report })
  }
}

test('a TCP run shows the data of an equal one before, with times of its own', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Mail', request: { hostname: 'mail.test', port: 25, data: 'EHLO' }, ...places }
  const check = await server.call(routes.createTcpCheck, { body })
  const timed = {
    source: 'RESPONSE_TIME',
    comparison: 'LESS_THAN',
    property: '',
    target: 100,
    regex: null,
    error: null,
  }
  const content = {
    assertions: [{ ...timed, actual: 30 }],
    request: { hostname: 'mail.test', port: 25, data: 'EHLO', ipFamily: 'IPv4' as const, tls: false },
    response: {
      data: '220 hello',
      truncated: false,
      resolvedIp: '192.0.2.1',
      timingPhases: { dns: 5, connection: 10, data: 15, total: 30 },
    },
    requestError: null,
  }
  const detail = { kind: 'TCP' as const, content }
  await twice(
    server,
    check,
    { detail, phases: [0, 5, 10, 15, 0], responseTimeMs: 30 },
    { detail: null, phases: [0, 1, 2, 4, 0], responseTimeMs: 7 },
  )
  const [second, first] = await resultsOf(server, check)
  assert.deepEqual(first?.apiCheckResult, content)
  assert.deepEqual(second?.apiCheckResult, {
    ...content,
    assertions: [{ ...timed, actual: 7 }],
    response: {
      ...content.response,
      timingPhases: { dns: 1, connection: 2, data: 4, total: 7 },
      sameAs: first?.id,
    },
  })
  assert.equal(second?.icmpCheckResult, null)
})

test('an ICMP run has its own latencies; those of the single pings are kept with the details only', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Gateway', request: { hostname: 'gate.test', pingCount: 2 }, ...places }
  const check = await server.call(routes.createIcmpCheck, { body })
  const content = {
    assertions: [],
    request: { hostname: 'gate.test', ipFamily: 'IPv4' as const, pingCount: 2 },
    response: {
      resolvedIp: '192.0.2.1',
      packetsSent: 2,
      packetsReceived: 2,
      packetsLost: 0,
      packetLoss: 0,
      latency: { min: 10, avg: 20, max: 30, stdDev: 10 },
      times: [10, 30],
    },
    requestError: null,
  }
  const detail = { kind: 'ICMP' as const, content }
  await twice(
    server,
    check,
    { detail, phases: [0, 10, 30, 10], responseTimeMs: 20 },
    { detail: null, phases: [0, 2, 4, 1], responseTimeMs: 3 },
  )
  const [second, first] = await resultsOf(server, check)
  assert.deepEqual(first?.icmpCheckResult, content)
  assert.deepEqual(second?.icmpCheckResult, {
    ...content,
    response: { ...content.response, latency: { min: 2, avg: 3, max: 4, stdDev: 1 }, times: null },
  })
  const query = { metrics: ['latencyAvg_max', 'packetLoss_avg', 'latencyMin_min'] }
  const { series } = await server.call(routes.analyzeIcmpMonitor, { params: { id: check.id }, query })
  assert.deepEqual(series[0]?.data[0], { latencyAvg_max: 20, packetLoss_avg: 0, latencyMin_min: 2 })
})
