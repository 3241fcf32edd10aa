import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CLEANED_LIMIT, cleanErrorMessage } from './error-message.ts'

const rows: [raw: string, cleaned: string][] = [
  ['connect ECONNREFUSED 10.1.2.3:8080', 'connect ECONNREFUSED <ip>'],
  ['connect ECONNREFUSED ::1:8080', 'connect ECONNREFUSED <ip>'],
  ['connect ETIMEDOUT 2001:db8::17:443', 'connect ETIMEDOUT <ip>'],
  ['status code: expected 500 to equal 201', 'status code: expected <number> to equal <number>'],
  ['$.state: expected "down" to equal "up"', '$.state: expected "<value>" to equal "<value>"'],
  [
    'the answer took 20512 ms, more than the allowed 20000 ms',
    'the answer took <duration>, more than the allowed <duration>',
  ],
  ['ETIMEDOUT: no answer within 30 s while connecting', 'ETIMEDOUT: no answer within <duration> while connecting'],
  ['failed at 2026-01-02T03:04:05.678Z, again at 12:30:01', 'failed at <time>, again at <time>'],
  ['order 3f2504e0-4f89-41d3-9a0c-0305e82c3301 not found', 'order <uuid> not found'],
  ['object 5f4dcc3b5aa765d61d8327de at 0x7fff2a', 'object <hex> at <hex>'],
  ['GET /a?user=7&token=abc failed for eve@example.org', 'GET /a?<query> failed for <email>'],
  ['\u001b[31mred\u001b[0m   alert\n', 'red alert'],
  ['TypeError: x is not a function\n    at run (file.js:1:2)\n    at main.js:3:4', 'TypeError: x is not a function'],
  [
    'buys: expect(x).toBe(y), Expected: 2, Received: 1 (2 of 9 tests failed)',
    'buys: expect(x).toBe(y), Expected: 2, Received: <value>',
  ],
  ['buys: no (1 of 9 tests failed)', 'buys: no'],
  ['step 3 of 5 failed', 'step 3 of 5 failed'],
]

test('replaces what differs from run to run', () => {
  for (const [raw, cleaned] of rows) assert.equal(cleanErrorMessage(raw), cleaned)
})

const alphabet = fc.constantFrom(
  ...'ab0123456789f-:.@?=&"\'<> \n\t\u001b[x/%',
  '2026-01-02',
  '12:30',
  '::',
  '10.0.0.1',
  'at ',
  ' ms',
  'é',
)
const messages = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.array(alphabet, { maxLength: 400 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...rows.map(([raw]) => raw)), { maxLength: 60 }).map((parts) => parts.join(' ')),
)

test('cleaning twice is cleaning once', () => {
  fc.assert(
    fc.property(messages, (message) => {
      const cleaned = cleanErrorMessage(message)
      assert.equal(cleanErrorMessage(cleaned), cleaned)
      assert.ok(cleaned.length <= CLEANED_LIMIT)
    }),
    { numRuns: 1000 },
  )
})

test('stays fast on hostile text', () => {
  const units = [
    'a',
    '1',
    '0',
    '?',
    '?a',
    '?a=',
    '@',
    'a@',
    'a.',
    '1.',
    ':',
    'a:',
    '-',
    '"',
    '" ',
    ' ',
    '\n',
    '\n ',
    '    at ',
    '\u001b[',
    '\u001b[1;',
    '1 ',
    '0x',
    'ff',
    '<',
    '1-',
    '12:',
    '::',
    'a1',
  ]
  for (const unit of units) {
    for (const end of ['', '!', '"', '@', ':']) {
      const text = unit.repeat(1_000_000 / unit.length) + end
      const startedAt = performance.now()
      cleanErrorMessage(text)
      const took = performance.now() - startedAt
      assert.ok(took < 250, `${JSON.stringify(unit)} took ${took} ms`)
    }
  }
})
