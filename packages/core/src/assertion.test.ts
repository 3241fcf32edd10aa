import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiAssertion } from '@vedette/schema'
import { judgeAssertion as judgeBy, problemOfAssertion } from './assertion.ts'
import { type HttpEvidence, httpFinders } from './judge-http.ts'

const judgeAssertion = (assertion: ApiAssertion, on: HttpEvidence) => judgeBy(assertion, httpFinders, on)

const document = {
  status: 'ok',
  version: '1.10',
  count: 3,
  big: 12,
  nothing: null,
  flag: true,
  empty: [],
  items: [
    { id: 1, tags: ['a', 'b'] },
    { id: 2, tags: ['a'] },
  ],
}

function evidence(body: unknown = document, rest: Partial<HttpEvidence['answer']> = {}): HttpEvidence {
  return {
    responseTimeMs: 120.4,
    answer: {
      status: 200,
      httpVersion: 'HTTP/1.1',
      statusText: 'OK',
      href: 'http://target/',
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-count': '42', 'x-empty': '' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      truncated: false,
      timings: { socket: 0, lookup: 0, connect: 0, response: 0, end: 0 },
      timingPhases: { wait: 0, dns: 0, tcp: 0, firstByte: 0, download: 0, total: 0 },
      ...rest,
    },
  }
}

/** `JSON_BODY $.count GREATER_THAN 2`; a property of - stands for none, targets are text. */
function read(line: string): ApiAssertion {
  const [source, property, comparison, ...target] = line.split(' ')
  const assertion = {
    source,
    comparison,
    property: property === '-' ? '' : property,
    target: target.join(' '),
    regex: '',
  }
  return assertion as ApiAssertion
}

const judge = (line: string, on = evidence()) => judgeAssertion(read(line), on).error

const holds = `
STATUS_CODE - EQUALS 200
STATUS_CODE - NOT_EQUALS 201
STATUS_CODE - LESS_THAN 400
STATUS_CODE - GREATER_THAN 199
RESPONSE_TIME - LESS_THAN 121
RESPONSE_TIME - EQUALS 120
JSON_BODY $.status EQUALS ok
JSON_BODY $.status CONTAINS o
JSON_BODY $.status NOT_EQUALS down
JSON_BODY $.status NOT_EMPTY
JSON_BODY $.status NOT_NULL
JSON_BODY $.version NOT_EQUALS 1.1
JSON_BODY $.count EQUALS 3
JSON_BODY $.count EQUALS 3.0
JSON_BODY $.big GREATER_THAN 3
JSON_BODY $.flag EQUALS true
JSON_BODY $.nothing EQUALS null
JSON_BODY $.nothing IS_NULL
JSON_BODY $.nothing IS_EMPTY
JSON_BODY $.empty IS_EMPTY
JSON_BODY $.items.length EQUALS 2
JSON_BODY $.items[0].tags CONTAINS b
JSON_BODY $.items[*].tags CONTAINS a
JSON_BODY $.items[*].tags NOT_CONTAINS c
JSON_BODY $.items[*].id LESS_THAN 3
JSON_BODY $..id GREATER_THAN 0
JSON_BODY $.items[?(@.id==2)].tags.length EQUALS 1
JSON_BODY $.items[-1].id EQUALS 2
JSON_BODY - HAS_KEY status
JSON_BODY $ NOT_HAS_KEY missing
JSON_BODY - HAS_VALUE ok
JSON_BODY - NOT_HAS_VALUE down
JSON_BODY $.missing IS_NULL
JSON_BODY $.missing IS_EMPTY
JSON_BODY $.missing NOT_EQUALS 5
JSON_BODY $.missing NOT_CONTAINS 5
JSON_BODY $.missing NOT_HAS_KEY 5
JSON_BODY $.missing NOT_HAS_VALUE 5
HEADERS Content-Type CONTAINS json
HEADERS x-count EQUALS 42
HEADERS x-count GREATER_THAN 7
HEADERS x-empty IS_EMPTY
HEADERS x-missing IS_NULL
HEADERS - HAS_KEY Content-Type
HEADERS - NOT_HAS_KEY X-Missing
TEXT_BODY - CONTAINS "count":3
TEXT_BODY "count":(\\d+) EQUALS 3
TEXT_BODY "big":(\\d+) GREATER_THAN 11
TEXT_BODY never IS_EMPTY
TEXT_BODY version NOT_EMPTY
`

const breaks: [line: string, error: string][] = [
  ['STATUS_CODE - EQUALS 201', 'expected 200 to equal 201'],
  ['RESPONSE_TIME - LESS_THAN 100', 'expected 120 to be less than 100'],
  ['JSON_BODY $.status EQUALS up', 'expected "ok" to equal "up"'],
  ['JSON_BODY $.status GREATER_THAN 1', 'expected "ok" to be greater than 1, but that is not a number'],
  ['JSON_BODY $.count LESS_THAN many', 'expected 3 to be less than "many", but the target is not a number'],
  ['JSON_BODY $.items[*].tags CONTAINS b', 'expected ["a"] to contain "b"'],
  ['JSON_BODY $.status IS_EMPTY', 'expected "ok" to be empty'],
  ['JSON_BODY $.nothing NOT_NULL', 'expected null not to be null'],
  ['JSON_BODY $.count HAS_KEY a', 'expected 3 to have the key "a", but that has no keys'],
  ['JSON_BODY $.missing EQUALS 5', 'expected a value to equal 5, but nothing was found'],
  ['JSON_BODY $.missing CONTAINS 5', 'expected a value to contain 5, but nothing was found'],
  ['JSON_BODY $.missing NOT_EMPTY', 'expected a value not to be empty, but nothing was found'],
  ['JSON_BODY $.missing NOT_NULL', 'expected a value not to be null, but nothing was found'],
  ['JSON_BODY $.__proto__ NOT_NULL', 'expected a value not to be null, but nothing was found'],
  [
    'JSON_BODY - HAS_KEY toString',
    'expected {"status":"ok","version":"1.10","count":3,"big":12,"nothing":null,"flag":true,"empty":[],"items":[{"id":1,"tags":["a","b"]},{"id":2,"tags":["a"]}]} to have the key "toString"',
  ],
  ['HEADERS x-missing EQUALS 1', 'expected a value to equal 1, but nothing was found'],
  ['TEXT_BODY "count":(\\d+) EQUALS 4', 'expected "3" to equal 4'],
]

test('says nothing where an assertion holds', () => {
  for (const line of holds.trim().split('\n')) assert.equal(judge(line), null, line)
})

test('says what was found and what was expected where it does not', () => {
  for (const [line, error] of breaks) assert.equal(judge(line), error, line)
})

test('keeps what was found', () => {
  assert.equal(judgeAssertion(read('STATUS_CODE - EQUALS 201'), evidence()).actual, 200)
  assert.deepEqual(judgeAssertion(read('JSON_BODY $.items[*].id EQUALS 1'), evidence()).actual, [1, 2])
  assert.equal(judgeAssertion(read('JSON_BODY $.missing EQUALS 1'), evidence()).actual, null)
  const long = judgeAssertion(read('TEXT_BODY - EQUALS x'), evidence('y'.repeat(100_000)))
  assert.equal(String(long.actual).length, 10 * 1024)
  assert.ok((long.error?.length ?? 0) < 300)
})

test('takes numbers as targets', () => {
  const assertion = { source: 'HEADERS', comparison: 'EQUALS', property: 'x-count', target: 42 } as const
  assert.equal(judgeAssertion(assertion, evidence()).error, null)
})

test('applies a regular expression to the value of a header', () => {
  const assertion = {
    source: 'HEADERS',
    comparison: 'EQUALS',
    property: 'content-type',
    regex: 'charset=(.*)',
    target: 'utf-8',
  } as const
  assert.equal(judgeAssertion(assertion, evidence()).error, null)
})

test('fails on a body that is no JSON', () => {
  assert.equal(judge('JSON_BODY $.a IS_NULL', evidence('<html>')), 'the body is no JSON: "<html>"')
  assert.equal(judge('JSON_BODY $.a IS_NULL', evidence('')), 'the body is empty, so it is no JSON')
  assert.match(judge('JSON_BODY $.a IS_NULL', evidence('{"a', { truncated: true })) ?? '', /cut at the read limit/)
})

test('names what an assertion cannot be written with, and fails with it when it is judged all the same', () => {
  const lookahead: ApiAssertion = { source: 'TEXT_BODY', comparison: 'NOT_EMPTY', property: '(?=a)b' }
  assert.equal(problemOfAssertion(lookahead)?.property, 'property')
  assert.match(judgeAssertion(lookahead, evidence()).error ?? '', /regular expression/)
  const header: ApiAssertion = { source: 'HEADERS', comparison: 'NOT_EMPTY', property: 'a', regex: '(' }
  assert.equal(problemOfAssertion(header)?.property, 'regex')
  const path: ApiAssertion = { source: 'JSON_BODY', comparison: 'NOT_EMPTY', property: 'items' }
  assert.deepEqual(problemOfAssertion(path), { property: 'property', reason: 'does not begin with $' })
  assert.match(judgeAssertion(path, evidence()).error ?? '', /does not begin with \$/)
  assert.equal(
    problemOfAssertion({ source: 'STATUS_CODE', comparison: 'EQUALS', property: '(((', target: '200' }),
    null,
  )
  assert.equal(
    problemOfAssertion({ source: 'TEXT_BODY', comparison: 'EQUALS', property: 'a'.repeat(1025) })?.property,
    'property',
  )
})

test('hostile patterns cost no time', () => {
  const text = evidence(`${'a'.repeat(300_000)}!`)
  for (const pattern of ['^(a+)+$', '(a|aa)+$', '(x+x+)+y', '.*.*.*=.*', '(a{1,100}){1,100}b']) {
    const startedAt = performance.now()
    judgeAssertion({ source: 'TEXT_BODY', comparison: 'NOT_EMPTY', property: pattern }, text)
    assert.ok(performance.now() - startedAt < 1000, pattern)
  }
})
