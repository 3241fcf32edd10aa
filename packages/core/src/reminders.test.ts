import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertSettings, TARGET_STATES, type TargetState } from '@vedette/schema'
import fc from 'fast-check'
import { type AlertState, decideAlert } from './alert-decision.ts'
import type { Pause } from './heartbeat.ts'
import { advanceReminder, type Reminder, remindersAfter } from './reminders.ts'

const MINUTE_MS = 60_000
const FRESH: AlertState = {
  state: 'passing',
  sinceMs: 0,
  runCount: 0,
  notifiedFailure: false,
  notifiedDegraded: false,
  heldSinceMs: null,
}

type Reminders = NonNullable<AlertSettings['reminders']>
const reminding = (
  amount: Reminders['amount'],
  interval: Reminders['interval'],
  runs: 1 | 2 | 3 = 1,
): AlertSettings => ({
  escalationType: 'RUN_BASED',
  runBasedEscalation: { failedRunThreshold: runs },
  reminders: { amount, interval },
})

interface Moment {
  minute: number
  /** The end of a run; null: only the clock. */
  to: TargetState | null
}

interface Circumstances {
  settings: AlertSettings
  pause?: Pause | null
  mutedAt?: number
}

/** Goes from minute to minute as the server does, and answers at which minutes people were reminded, and how. */
function remindedAt(moments: readonly Moment[], { settings, pause = null, mutedAt }: Circumstances): string[] {
  let state = FRESH
  let reminder: Reminder | null = null
  const sent: string[] = []
  for (const { minute, to } of moments) {
    const nowMs = minute * MINUTE_MS
    if (to !== null) {
      const decision = decideAlert(state, to, settings, nowMs)
      const plan = remindersAfter(state, decision, settings, nowMs)
      state = decision.next
      if (plan.kind === 'begin') reminder = plan.reminder
      if (plan.kind === 'end') reminder = null
    }
    if (reminder === null) continue
    const muted = mutedAt !== undefined && minute >= mutedAt
    const facts = { nowMs, state: state.state, muted, activated: true, pause, withheldBy: null, settings }
    const step = advanceReminder(reminder, facts)
    if (step.kind === 'end') reminder = null
    if (step.kind !== 'send') continue
    reminder = step.next
    sent.push(`${minute} ${step.alertType} ${step.next.sent}`)
  }
  return sent
}

const quiet = (from: number, to: number): Moment[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ minute: from + index, to: null }))
const failingFor = (minutes: number): Moment[] => [{ minute: 0, to: 'failing' }, ...quiet(1, minutes)]

test('people are reminded by the clock, so often as they want', () => {
  assert.deepEqual(remindedAt(failingFor(100), { settings: reminding(3, 10) }), [
    '10 ALERT_FAILURE_REMAIN 1',
    '20 ALERT_FAILURE_REMAIN 2',
    '30 ALERT_FAILURE_REMAIN 3',
  ])
  assert.deepEqual(remindedAt(failingFor(100), { settings: reminding(0, 10) }), [])
  assert.equal(remindedAt(failingFor(1000), { settings: reminding(100_000, 1) }).length, 999)
})

test('a reminder says what is the matter now', () => {
  const moments: Moment[] = [{ minute: 0, to: 'failing' }, { minute: 7, to: 'degraded' }, ...quiet(8, 30)]
  assert.deepEqual(remindedAt(moments, { settings: reminding(2, 10) }), [
    '10 ALERT_DEGRADED_REMAIN 1',
    '20 ALERT_DEGRADED_REMAIN 2',
  ])
})

test('recovery and muting end reminders', () => {
  const recovered: Moment[] = [
    { minute: 0, to: 'failing' },
    ...quiet(1, 12),
    { minute: 12, to: 'passing' },
    ...quiet(13, 90),
  ]
  assert.deepEqual(remindedAt(recovered, { settings: reminding(5, 10) }), ['10 ALERT_FAILURE_REMAIN 1'])
  assert.deepEqual(remindedAt(failingFor(90), { settings: reminding(5, 10), mutedAt: 25 }), [
    '10 ALERT_FAILURE_REMAIN 1',
    '20 ALERT_FAILURE_REMAIN 2',
  ])
})

test('maintenance holds reminders, and afterwards one comes', () => {
  const pause = { fromMs: 15 * MINUTE_MS, untilMs: 47 * MINUTE_MS }
  assert.deepEqual(remindedAt(failingFor(70), { settings: reminding(5, 10), pause }), [
    '10 ALERT_FAILURE_REMAIN 1',
    '47 ALERT_FAILURE_REMAIN 2',
    '57 ALERT_FAILURE_REMAIN 3',
    '67 ALERT_FAILURE_REMAIN 4',
  ])
})

test('after an outage of ours one reminder comes, not as many as fell due', () => {
  const moments: Moment[] = [{ minute: 0, to: 'failing' }, ...quiet(100, 125)]
  assert.deepEqual(remindedAt(moments, { settings: reminding(5, 10) }), [
    '100 ALERT_FAILURE_REMAIN 1',
    '110 ALERT_FAILURE_REMAIN 2',
    '120 ALERT_FAILURE_REMAIN 3',
  ])
})

test('what is switched off is not reminded of', () => {
  const settings = reminding(5, 10)
  const well = { muted: false, activated: true, pause: null, withheldBy: null }
  const facts = { ...well, nowMs: 1, state: 'failing' as const, activated: false, settings }
  assert.deepEqual(advanceReminder({ dueAtMs: 0, sent: 0 }, facts), { kind: 'end', because: 'deactivated' })
})

/** The rules once more, from the whole history: at each minute, whether it is one at which an episode reminds. */
function remindedByTheBook(moments: readonly Moment[], settings: AlertSettings): string[] {
  const amount = settings.reminders?.amount ?? 0
  const interval = settings.reminders?.interval ?? 5
  const threshold = settings.runBasedEscalation?.failedRunThreshold ?? 1
  const sent: string[] = []
  let states: TargetState[] = []
  let firstToldAt: number | null = null
  for (const { minute, to } of moments) {
    if (to === 'passing') {
      states = []
      firstToldAt = null
    } else if (to !== null) {
      states.push(to)
      const inARow = states.length - 1 - states.findLastIndex((state) => state !== to)
      const hasChanged = states.length > 1 && states.at(-2) !== to
      if (firstToldAt === null && (hasChanged || inARow >= threshold)) firstToldAt = minute
    }
    if (firstToldAt === null || minute === firstToldAt) continue
    const sequence = (minute - firstToldAt) / interval
    if (!Number.isInteger(sequence) || sequence > amount) continue
    const isFailing = states.at(-1) === 'failing'
    sent.push(`${minute} ${isFailing ? 'ALERT_FAILURE_REMAIN' : 'ALERT_DEGRADED_REMAIN'} ${sequence}`)
  }
  return sent
}

test('over any history people are reminded as the whole history says', () => {
  const settings = fc
    .tuple(
      fc.constantFrom(0 as const, 1 as const, 2 as const, 5 as const, 100_000 as const),
      fc.constantFrom(1 as const, 3 as const, 5 as const, 10 as const),
      fc.constantFrom(1 as const, 2 as const, 3 as const),
    )
    .map(([amount, interval, runs]) => reminding(amount, interval, runs))
  const moments = fc
    .array(fc.option(fc.constantFrom(...TARGET_STATES), { freq: 2 }), { maxLength: 120 })
    .map((ends) => ends.map((to, minute): Moment => ({ minute, to })))
  fc.assert(
    fc.property(moments, settings, (moments, settings) => {
      assert.deepEqual(remindedAt(moments, { settings }), remindedByTheBook(moments, settings))
    }),
    { numRuns: 2000 },
  )
})

test('whatever gaps there are, reminders never come in a burst and never more often than wanted', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 80 })
  fc.assert(
    fc.property(gaps, fc.constantFrom(1 as const, 5 as const, 30 as const), (gaps, interval) => {
      let minute = 0
      const moments: Moment[] = [{ minute: 0, to: 'failing' }]
      for (const gap of gaps) {
        minute += gap
        moments.push({ minute, to: null })
      }
      const sent = remindedAt(moments, { settings: reminding(5, interval) }).map((line) => Number(line.split(' ')[0]))
      assert.ok(sent.length <= 5)
      for (const [index, at] of sent.entries()) assert.ok(at - (sent[index - 1] ?? 0) >= interval / 2)
    }),
  )
})
