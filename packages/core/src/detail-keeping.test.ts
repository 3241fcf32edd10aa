import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DetailQuestion, shouldKeepDetail } from './detail-keeping.ts'

const MINUTE = 60_000
const question = (rest: Partial<DetailQuestion>): DetailQuestion => ({
  verdict: 'passed',
  keepDetail: false,
  kept: { fingerprint: 'a', ageMs: 0 },
  fingerprint: 'a',
  ...rest,
})

test('keeps what did not pass, what was asked for, and the first of all', () => {
  for (const verdict of ['failed', 'degraded', 'error'] as const) assert.ok(shouldKeepDetail(question({ verdict })))
  assert.ok(shouldKeepDetail(question({ keepDetail: true })))
  assert.ok(shouldKeepDetail(question({ kept: null })))
})

test('keeps an equal answer once a day, a differing one every five minutes', () => {
  const aged = (ageMs: number, fingerprint: string) =>
    shouldKeepDetail(question({ kept: { fingerprint: 'a', ageMs }, fingerprint }))
  assert.equal(aged(24 * 60 * MINUTE - 1, 'a'), false)
  assert.equal(aged(24 * 60 * MINUTE, 'a'), true)
  assert.equal(aged(5 * MINUTE - 1, 'b'), false)
  assert.equal(aged(5 * MINUTE, 'b'), true)
})
