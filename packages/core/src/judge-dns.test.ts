import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsAnswerRecord, DnsJsonAnswer, DnsObservation, DnsSettings } from '@vedette/schema'
import { judgeDns } from './judge-dns.ts'

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

const observed = (changes: Partial<DnsJsonAnswer> = {}, responseTimeMs = 20): DnsObservation => {
  const answer = { ...json, ...changes }
  return {
    request: { query: 'shop.test', recordType: 'A', nameServer: '192.0.2.53', port: 53, protocol: 'UDP' },
    response: { status: answer.Status, text: 'shop.test.\t27\tIN\tA\t192.0.2.1\n', json: answer },
    failure: null,
    responseTimeMs,
  }
}

type Assertions = NonNullable<DnsSettings['request']['assertions']>
const judge = (observation: DnsObservation, assertions: Assertions = [], rest: Partial<DnsSettings> = {}) => {
  const request = { query: 'shop.test', recordType: 'A', assertions } as const
  const settings = { request, shouldFail: false, degradedResponseTime: 500, maxResponseTime: 1000, ...rest }
  const { verdict, error } = judgeDns(settings, observation)
  return [verdict, error]
}

test('passing needs the code NOERROR, unless an assertion on the code decides', () => {
  assert.deepEqual(judge(observed()), ['passed', null])
  const table: [string, string][] = [
    ['NXDOMAIN', 'NXDOMAIN: the name shop.test does not exist'],
    ['SERVFAIL', 'SERVFAIL: the name server could not find out about shop.test'],
    ['REFUSED', 'REFUSED: the name server refuses to answer for shop.test'],
    ['FORMERR', 'FORMERR: the name server did not understand the question'],
    ['YXDOMAIN', 'YXDOMAIN: expected NOERROR, but this was the response code'],
  ]
  for (const [Status, error] of table) {
    const observation = observed({ Status, Answer: [] })
    assert.deepEqual(judge(observation), ['failed', error])
    assert.deepEqual(judge(observation, [], { shouldFail: true }), ['passed', null])
    assert.deepEqual(judge(observation, [{ source: 'RESPONSE_CODE', comparison: 'EQUALS', target: Status }]), [
      'passed',
      null,
    ])
    assert.deepEqual(judge(observation, [{ source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: 900 }]), [
      'failed',
      error,
    ])
  }
  const wrong = judge(observed(), [{ source: 'RESPONSE_CODE', comparison: 'EQUALS', target: 'NXDOMAIN' }])
  assert.deepEqual(wrong, ['failed', 'response code: expected "NOERROR" to equal "NXDOMAIN"'])
})

test('a response code may be asserted by its number', () => {
  const observation = observed({ Status: 'NXDOMAIN', Answer: [] })
  assert.deepEqual(judge(observation, [{ source: 'RESPONSE_CODE', comparison: 'EQUALS', target: 3 }]), ['passed', null])
  assert.deepEqual(judge(observation, [{ source: 'RESPONSE_CODE', comparison: 'LESS_THAN', target: '4' }]), [
    'passed',
    null,
  ])
})

test('the answer is asserted as text and as JSON', () => {
  const assertions: Assertions = [
    { source: 'TEXT_ANSWER', comparison: 'CONTAINS', target: '192.0.2.1' },
    { source: 'TEXT_ANSWER', comparison: 'EQUALS', property: 'A\\t(\\S+)', target: '192.0.2.1' },
    { source: 'JSON_ANSWER', comparison: 'EQUALS', property: '$.Answer[0].data', target: '192.0.2.1' },
    { source: 'JSON_ANSWER', comparison: 'LESS_THAN', property: '$.Answer[*].TTL', target: '60' },
    { source: 'JSON_ANSWER', comparison: 'EQUALS', property: '$.Answer.length', target: '1' },
  ]
  assert.deepEqual(judge(observed(), assertions), ['passed', null])
  const wrong: Assertions = [{ source: 'JSON_ANSWER', comparison: 'EQUALS', property: '$.AD', target: 'true' }]
  assert.deepEqual(judge(observed(), wrong), ['failed', '$.AD: expected false to equal "true"'])
})

const record = (type: string, data: string): DnsAnswerRecord => ({ name: 'test.', type, TTL: 1, data })

test('nothing found passes when the server is in a position to know, and fails when it is not', () => {
  const none = { Answer: [], RA: false }
  assert.deepEqual(judge(observed({ ...none, AA: true })), ['passed', null])
  assert.deepEqual(judge(observed({ ...none, RA: true })), ['passed', null])
  assert.deepEqual(judge(observed({ ...none, RA: true, Authority: [record('SOA', 'ns. host. 1 2 3 4 5')] })), [
    'passed',
    null,
  ])
  assert.deepEqual(judge(observed(none)), [
    'failed',
    'the name server is not responsible for shop.test and gave no answer (lame delegation)',
  ])
  const referral = observed({ ...none, Authority: [record('NS', 'ns1.test.'), record('NS', 'ns2.test.')] })
  assert.deepEqual(judge(referral), [
    'failed',
    'the name server gave no answer for shop.test, it only names others: ns1.test., ns2.test. (lame delegation)',
  ])
  const wanted: Assertions = [
    { source: 'JSON_ANSWER', comparison: 'EQUALS', property: '$.Authority[0].data', target: 'ns1.test.' },
  ]
  assert.deepEqual(judge(referral, wanted), ['passed', null])
})

test('slow answers are degraded, then failing', () => {
  assert.equal(judge(observed({}, 501))[0], 'degraded')
  assert.deepEqual(judge(observed({}, 1001)), ['failed', 'the answer took 1001 ms, more than the allowed 1000 ms'])
})

test('without an answer there is nothing to assert', () => {
  const failure = { blame: 'target', code: 'ETIMEDOUT', message: 'ETIMEDOUT: no answer', phase: 'answer' } as const
  const target = judge({ ...observed(), response: null, failure }, [
    { source: 'RESPONSE_CODE', comparison: 'EQUALS', target: 'NXDOMAIN' },
  ])
  assert.deepEqual(target, ['failed', 'ETIMEDOUT: no answer'])
  assert.equal(judge({ ...observed(), response: null, failure: { ...failure, blame: 'ours' } })[0], 'error')
})
