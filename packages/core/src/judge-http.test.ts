import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiAssertion, ApiSettings, Failure, HttpObservation } from '@vedette/schema'
import { judgeHttp } from './judge-http.ts'

const statusIs = (target: string): ApiAssertion => ({ source: 'STATUS_CODE', comparison: 'EQUALS', target })

function settings(assertions: ApiAssertion[] = [], rest: Partial<ApiSettings> = {}): ApiSettings {
  const request = { method: 'GET', url: 'http://target/', assertions } as const
  return { request, shouldFail: false, degradedResponseTime: 1000, maxResponseTime: 2000, ...rest }
}

function answered(status: number, responseTimeMs = 10): HttpObservation {
  return {
    request: { method: 'GET', url: 'http://target/', data: '', headers: {}, params: {} },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      href: 'http://target/',
      headers: {},
      body: '{}',
      truncated: false,
      timings: { socket: 0, lookup: 0, connect: 0, response: 0, end: 0 },
      timingPhases: { wait: 0, dns: 0, tcp: 0, firstByte: 0, download: 0, total: 0 },
    },
    failure: null,
    responseTimeMs,
    tls: null,
    certificate: null,
  }
}

function unanswered(failure: Partial<Failure> = {}, responseTimeMs = 10): HttpObservation {
  const message = 'connect ECONNREFUSED 127.0.0.1:9'
  return {
    ...answered(0, responseTimeMs),
    response: null,
    failure: { blame: 'target', code: 'ECONNREFUSED', message, phase: 'connect', ...failure },
  }
}

const verdict = (given: ApiSettings, observation: HttpObservation) => judgeHttp(given, observation).verdict

test('an error status fails, unless it is accepted or an assertion decides on it', () => {
  assert.equal(verdict(settings(), answered(200)), 'passed')
  assert.equal(verdict(settings(), answered(399)), 'passed')
  const judgement = judgeHttp(settings(), answered(400))
  assert.equal(judgement.verdict, 'failed')
  assert.equal(judgement.error, 'expected a status below 400, but the answer was 400')
  assert.equal(verdict(settings([statusIs('404')]), answered(404)), 'passed')
  assert.equal(verdict(settings([statusIs('200')]), answered(404)), 'failed')
})

test('shouldFail accepts every status, but no failed assertion and no missing answer', () => {
  const accepting = { shouldFail: true }
  assert.equal(verdict(settings([], accepting), answered(500)), 'passed')
  assert.equal(verdict(settings([], accepting), answered(200)), 'passed')
  assert.equal(verdict(settings([statusIs('500')], accepting), answered(200)), 'failed')
  assert.equal(verdict(settings([], accepting), unanswered()), 'failed')
})

test('all assertions are judged, the first that fails is the message', () => {
  const judgement = judgeHttp(settings([statusIs('200'), statusIs('201'), statusIs('202')]), answered(200))
  assert.equal(judgement.error, 'status code: expected 200 to equal 201')
  assert.deepEqual(
    judgement.assertions.map(({ error }) => error === null),
    [true, false, false],
  )
})

test('thresholds are exceeded, not reached', () => {
  assert.equal(verdict(settings(), answered(200, 1000)), 'passed')
  assert.equal(verdict(settings(), answered(200, 1001)), 'degraded')
  assert.equal(judgeHttp(settings(), answered(200, 2000)).overMaxResponseTime, false)
  const slow = judgeHttp(settings(), answered(200, 2001))
  assert.deepEqual([slow.verdict, slow.overMaxResponseTime], ['failed', true])
  assert.equal(slow.error, 'the answer took 2001 ms, more than the allowed 2000 ms')
  const none = { degradedResponseTime: null, maxResponseTime: null }
  assert.equal(verdict(settings([], none), answered(200, 29_000)), 'passed')
  assert.equal(verdict(settings([], { degradedResponseTime: 3000 }), answered(200, 2500)), 'failed')
})

test('a missing answer is the fault of the target, or ours', () => {
  const theirs = judgeHttp(settings(), unanswered())
  assert.deepEqual(
    [theirs.verdict, theirs.networkError, theirs.error],
    ['failed', true, 'connect ECONNREFUSED 127.0.0.1:9'],
  )
  const ours = judgeHttp(settings(), unanswered({ blame: 'ours' }, 25_000))
  assert.deepEqual([ours.verdict, ours.overMaxResponseTime], ['error', false])
})

test('an answer that redirects in circles is no network error', () => {
  assert.equal(judgeHttp(settings(), unanswered({ phase: 'redirect' })).networkError, false)
})

test('a judgement names what decided it', () => {
  const rule = (given: ApiSettings, observation: HttpObservation) => judgeHttp(given, observation).rule
  assert.equal(rule(settings(), answered(200)), 'all-is-well')
  assert.equal(rule(settings([statusIs('201')]), answered(200, 5000)), 'assertion-broken')
  assert.equal(rule(settings(), answered(500, 5000)), 'answer-not-acceptable')
  assert.equal(rule(settings(), answered(200, 5000)), 'over-max-response-time')
  assert.equal(rule(settings(), answered(200, 1500)), 'over-degraded-response-time')
  assert.equal(rule(settings(), unanswered()), 'no-answer')
  assert.equal(rule(settings(), unanswered({ blame: 'ours' })), 'our-trouble')
})
