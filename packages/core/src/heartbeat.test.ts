import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expectedPing, isLinkPreview, judgePing } from './heartbeat.ts'

const at = (time: string) => Date.parse(`2026-01-10T${time}Z`)
const hourly = { period: 1, periodUnit: 'hours', grace: 10, graceUnit: 'minutes' } as const

test('the worked example: early, in grace, and the deadline after the last ping', () => {
  assert.equal(judgePing(hourly, null, at('10:00:00')), 'RECEIVED')
  assert.equal(judgePing(hourly, at('10:00:00'), at('10:58:00')), 'EARLY')
  assert.equal(judgePing(hourly, at('10:58:00'), at('12:05:00')), 'GRACE')
  assert.deepEqual(expectedPing(hourly, at('12:05:00')), { dueMs: at('13:05:00'), deadlineMs: at('13:15:00') })
  assert.equal(judgePing(hourly, at('12:05:00'), at('13:15:01')), 'LATE')
  assert.equal(judgePing(hourly, at('12:05:00'), at('13:05:00') + 700), 'RECEIVED')
})

test('a ping is never better by coming later', () => {
  const order = ['EARLY', 'RECEIVED', 'GRACE', 'LATE']
  const period = fc.record({
    period: fc.integer({ min: 30, max: 10_000 }),
    periodUnit: fc.constantFrom('seconds' as const, 'minutes' as const),
    grace: fc.integer({ min: 0, max: 1000 }),
    graceUnit: fc.constantFrom('seconds' as const, 'hours' as const),
  })
  fc.assert(
    fc.property(period, fc.nat(1e9), fc.nat(1e9), (rhythm, a, b) => {
      const [first, second] = [judgePing(rhythm, 0, Math.min(a, b)), judgePing(rhythm, 0, Math.max(a, b))]
      assert.ok(order.indexOf(first) <= order.indexOf(second))
    }),
  )
})

test('programs that preview links are told from jobs that ping', () => {
  for (const agent of ['Slackbot-LinkExpanding 1.0', 'Twitterbot/1.0', 'facebookexternalhit/1.1', 'Googlebot/2.1']) {
    assert.equal(isLinkPreview(agent), true, agent)
  }
  for (const agent of [undefined, 'curl/8.5.0', 'Wget/1.21', 'python-requests/2.31', 'robotframework-less/1']) {
    assert.equal(isLinkPreview(agent), false, agent ?? 'none')
  }
})
