import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertReplay } from '@vedette/schema'
import { alertName, isSame, type ReplayedAlert, replayWords, sideBySide } from './alert-replay.ts'

const told = (minute: number, to: ReplayedAlert['to'], reminder = 0): ReplayedAlert => ({
  at: new Date(minute * 60_000).toISOString(),
  alertType: 'ALERT_FAILURE',
  from: 'passing',
  to,
  reminder,
})
const replay = (live: number, draft: number, firstAlertLaterByMs: number | null): AlertReplay => ({
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-08T00:00:00.000Z',
  runs: 100,
  live: { alerts: [], count: live },
  draft: { alerts: [], count: draft },
  comparison: { count: draft - live, firstAlertLaterByMs },
})

test('a replay says how many alerts there would have been, and when the first', () => {
  assert.equal(
    replayWords(replay(41, 3, 240_000)),
    'They would have sent 3 alerts instead of 41, the first 4 min later.',
  )
  assert.equal(replayWords(replay(2, 0, null)), 'They would have sent no alerts instead of 2.')
  assert.equal(replayWords(replay(0, 1, null)), 'They would have sent 1 alert instead of none.')
  assert.equal(
    replayWords(replay(2, 2, -60_000)),
    'They would have sent 2 alerts, as many as those in force, the first 1 min earlier.',
  )
  assert.equal(replayWords(replay(3, 2, 0)), 'They would have sent 2 alerts instead of 3, the first at the same time.')
})

test('settings that decide alike are the same, whatever they leave out', () => {
  const plain = { escalationType: 'RUN_BASED' } as const
  assert.ok(
    isSame(plain, { ...plain, runBasedEscalation: { failedRunThreshold: 1 }, reminders: { amount: 0, interval: 30 } }),
  )
  assert.ok(!isSame(plain, { ...plain, runBasedEscalation: { failedRunThreshold: 2 } }))
  assert.ok(!isSame(plain, { escalationType: 'TIME_BASED' }))
  assert.ok(
    !isSame({ ...plain, reminders: { amount: 1, interval: 5 } }, { ...plain, reminders: { amount: 1, interval: 10 } }),
  )
})

test('what both would have told at the same time is one row, all in the order of time', () => {
  const rows = sideBySide(
    [told(1, 'failing'), told(9, 'passing')],
    [told(4, 'failing'), told(6, 'failing', 1), told(9, 'passing')],
  )
  assert.deepEqual(
    rows.map(({ live, draft }) => [live && alertName(live), draft && alertName(draft)]),
    [
      ['Failing', null],
      [null, 'Failing'],
      [null, 'Reminder 1: still failing'],
      ['Recovered', 'Recovered'],
    ],
  )
})
