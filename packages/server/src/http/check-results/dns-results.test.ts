import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DnsCheckResult, type DnsJsonAnswer, routes } from '@vedette/schema'
import { makeDue, resultsOf } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer } from '../../testing/test-server.ts'

const json: DnsJsonAnswer = {
  Status: 'NOERROR',
  TC: false,
  RD: true,
  RA: true,
  AD: false,
  CD: false,
  AA: false,
  RRSIG: false,
  Question: [{ name: 'shop.test.', type: 'A' }],
  Answer: [{ name: 'shop.test.', type: 'A', TTL: 27, data: '192.0.2.1' }],
  Authority: [],
}
const content: DnsCheckResult = {
  assertions: [],
  request: { query: 'shop.test', recordType: 'A', nameServer: '192.0.2.53', port: 53, protocol: 'TCP' },
  response: { status: 'NOERROR', text: 'shop.test.\t27\tIN\tA\t192.0.2.1\n', json, timingPhases: { total: 12 } },
  requestError: null,
  jobLog: null,
  jobAssets: null,
  pcapDataUrl: null,
}

test('a DNS check runs as it is written, and its results tell the answer or where it is kept', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const request = { query: 'shop.test', recordType: 'A' } as const
  const check = await server.call(routes.createDnsCheck, {
    body: { name: 'Zone', request, locations: ['us-east-1'], retryStrategy: null, heartbeat: {}, script: '' },
  })
  // Whether a protocol was chosen decides what becomes of a cut answer.
  assert.equal(check.request.protocol, undefined)
  const report = async (detail: DnsCheckResult | null, fingerprint: string, responseTimeMs: number) => {
    await makeDue(server, check)
    const run = await runner.leaseOne()
    assert.equal(run.kind, 'DNS')
    assert.deepEqual(run.settings, {
      request: { ...request, assertions: [] },
      shouldFail: false,
      degradedResponseTime: 500,
      maxResponseTime: 1000,
    })
    const told = { fingerprint, responseTimeMs, statusCode: null, phases: null }
    await runner.report(run, 'passed', { ...told, detail: detail && { kind: 'DNS', content: detail } })
  }
  await report(content, 'same', 12)
  await report(null, 'same', 34)
  await report(null, 'other', 56)
  const [changed, shared, own] = await resultsOf(server, check)
  assert.deepEqual(own?.apiCheckResult, content)
  assert.deepEqual(shared?.apiCheckResult, {
    ...content,
    response: { ...content.response, timingPhases: { total: 34 }, sameAs: own?.id },
  })
  assert.deepEqual(changed?.apiCheckResult?.request, {
    query: 'shop.test',
    recordType: 'A',
    nameServer: null,
    port: null,
    protocol: 'UDP',
  })
  assert.deepEqual(changed?.apiCheckResult?.response, {
    status: '',
    text: '',
    json: null,
    timingPhases: { total: 56 },
    kept: false,
  })
})
