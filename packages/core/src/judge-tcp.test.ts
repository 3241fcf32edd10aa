import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TcpAssertion, TcpObservation, TcpSettings } from '@vedette/schema'
import { judgeTcp } from './judge-tcp.ts'

function answered(data: string, responseTimeMs = 40): TcpObservation {
  const timingPhases = { dns: 1, connection: 9, data: responseTimeMs - 10, total: responseTimeMs }
  return { resolvedIp: '192.0.2.1', response: { data, truncated: false, timingPhases }, failure: null, responseTimeMs }
}

const settings = (assertions: TcpAssertion[] = [], rest: Partial<TcpSettings> = {}): TcpSettings => ({
  request: { hostname: 'mail.test', port: 25, assertions },
  shouldFail: false,
  degradedResponseTime: 3000,
  maxResponseTime: 5000,
  ...rest,
})

function errorOf(assertion: TcpAssertion, data: string): string | null {
  return judgeTcp(settings([assertion]), answered(data)).error
}

test('data is compared whole, or what a pattern finds in it', () => {
  const banner = '220 mail.test ESMTP Postfix\r\n'
  assert.equal(errorOf({ source: 'RESPONSE_DATA', comparison: 'CONTAINS', target: 'ESMTP' }, banner), null)
  const status = { source: 'RESPONSE_DATA', property: '^(\\d+) ', comparison: 'EQUALS', target: '220' } as const
  assert.equal(errorOf(status, banner), null)
  assert.equal(errorOf(status, '554 go away\r\n'), 'data: expected "554" to equal 220')
  assert.equal(errorOf({ source: 'RESPONSE_DATA', comparison: 'NOT_EMPTY' }, ''), 'data: expected "" not to be empty')
  const load = { source: 'RESPONSE_DATA', property: 'load=([0-9.]+)', comparison: 'LESS_THAN', target: 2 } as const
  assert.equal(errorOf(load, 'load=0.7'), null)
})

test('time is judged by assertions and thresholds', () => {
  const fast = { source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: 30 } as const
  assert.equal(errorOf(fast, ''), 'response time: expected 40 to be less than 30')
  assert.equal(judgeTcp(settings(), answered('', 3001)).verdict, 'degraded')
  const slow = judgeTcp(settings(), answered('', 5001))
  assert.deepEqual([slow.verdict, slow.overMaxResponseTime], ['failed', true])
})

test('our own trouble is an error, also where nobody may accept the connection', () => {
  const failure = { blame: 'ours', code: 'EMFILE', message: 'EMFILE: too many', phase: 'connect' } as const
  const seen: TcpObservation = { resolvedIp: null, response: null, failure, responseTimeMs: 1 }
  for (const shouldFail of [false, true]) {
    const { verdict, error } = judgeTcp(settings([], { shouldFail }), seen)
    assert.deepEqual([verdict, error], ['error', 'EMFILE: too many'])
  }
})
