import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertSettings, type AlertType, TARGET_STATES, type TargetState } from '@vedette/schema'
import fc from 'fast-check'
import { type AlertDecision, type AlertState, decideAlert, firstAlert } from './alert-decision.ts'

const MINUTE_MS = 60_000
const FRESH: AlertState = {
  state: 'passing',
  sinceMs: 0,
  runCount: 0,
  notifiedFailure: false,
  notifiedDegraded: false,
  heldSinceMs: null,
}

const afterRuns = (failedRunThreshold: 1 | 2 | 3 | 4 | 5): AlertSettings => ({
  escalationType: 'RUN_BASED',
  runBasedEscalation: { failedRunThreshold },
})
const afterMinutes = (minutesFailingThreshold: 5 | 10 | 15 | 30): AlertSettings => ({
  escalationType: 'TIME_BASED',
  timeBasedEscalation: { minutesFailingThreshold },
})

interface Run {
  to: TargetState
  atMs: number
}

function decideAll(runs: readonly Run[], settings: AlertSettings): AlertDecision[] {
  let state = FRESH
  return runs.map(({ to, atMs }) => {
    const decision = decideAlert(state, to, settings, atMs)
    state = decision.next
    return decision
  })
}

/** Runs a minute apart, as letters: p(assing), d(egraded), f(ailing). The answer names what is told, `-` for nothing. */
function told(letters: string, settings: AlertSettings): (AlertType | '-')[] {
  const runs = [...letters].map((letter, index): Run => {
    const to = TARGET_STATES.find((state) => state.startsWith(letter))
    assert.ok(to)
    return { to, atMs: index * MINUTE_MS }
  })
  return decideAll(runs, settings).map(({ due, alertType }) => (due ? alertType : '-'))
}

test('with a threshold of one run every change is told at once, and staying is told once', () => {
  const once = afterRuns(1)
  assert.deepEqual(told('pp', once), ['-', '-'])
  assert.deepEqual(told('pffp', once), ['-', 'ALERT_FAILURE', '-', 'ALERT_RECOVERY'])
  assert.deepEqual(told('pddp', once), ['-', 'ALERT_DEGRADED', '-', 'ALERT_DEGRADED_RECOVERY'])
  assert.deepEqual(told('pdfdp', once), [
    '-',
    'ALERT_DEGRADED',
    'ALERT_DEGRADED_FAILURE',
    'ALERT_FAILURE_DEGRADED',
    'ALERT_DEGRADED_RECOVERY',
  ])
  assert.deepEqual(told('f', once), ['ALERT_FAILURE'])
  assert.deepEqual(told('fpf', once), ['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE'])
})

test('with a threshold of two runs the second failure in a row is the first to be told', () => {
  const twice = afterRuns(2)
  assert.deepEqual(told('pffffffffdp', twice), [
    '-',
    '-',
    'ALERT_FAILURE_REMAIN',
    '-',
    '-',
    '-',
    '-',
    '-',
    '-',
    'ALERT_FAILURE_DEGRADED',
    'ALERT_DEGRADED_RECOVERY',
  ])
  assert.deepEqual(told('pdddp', twice), ['-', '-', 'ALERT_DEGRADED_REMAIN', '-', 'ALERT_DEGRADED_RECOVERY'])
})

test('a passing run starts the count again', () => {
  assert.deepEqual(told('ffpffpfff', afterRuns(3)), ['-', '-', '-', '-', '-', '-', '-', '-', 'ALERT_FAILURE_REMAIN'])
})

test('trouble that nobody heard of ends without a word', () => {
  assert.deepEqual(told('pfp', afterRuns(2)), ['-', '-', '-'])
  assert.deepEqual(told('pdp', afterRuns(2)), ['-', '-', '-'])
})

test('a change between degraded and failing is told whatever the threshold', () => {
  assert.deepEqual(told('pdf', afterRuns(5)), ['-', '-', 'ALERT_DEGRADED_FAILURE'])
  assert.deepEqual(told('pfd', afterRuns(5)), ['-', '-', 'ALERT_FAILURE_DEGRADED'])
  assert.deepEqual(told('pfdp', afterRuns(5)), ['-', '-', 'ALERT_FAILURE_DEGRADED', 'ALERT_DEGRADED_RECOVERY'])
  assert.deepEqual(told('pdfp', afterRuns(5)), ['-', '-', 'ALERT_DEGRADED_FAILURE', 'ALERT_RECOVERY'])
})

test('with a threshold in minutes the first run is never told, and a later one once the time is up', () => {
  assert.deepEqual(told('pffffffff', afterMinutes(5)), ['-', '-', '-', '-', '-', '-', 'ALERT_FAILURE_REMAIN', '-', '-'])
  assert.deepEqual(told('pf', afterMinutes(5)), ['-', '-'])
})

test('a lowered threshold tells at the next run', () => {
  const [, second] = decideAll(
    [
      { to: 'failing', atMs: 0 },
      { to: 'failing', atMs: 1 },
    ],
    afterRuns(5),
  )
  assert.ok(second)
  const third = decideAlert(second.next, 'failing', afterRuns(1), 2)
  assert.equal(third.due, true)
  assert.equal(third.alertType, 'ALERT_FAILURE_REMAIN')
})

test('a decision says which rule decided and what it saw', () => {
  const [, second] = decideAll(
    [
      { to: 'failing', atMs: 0 },
      { to: 'failing', atMs: 90_000 },
    ],
    afterRuns(2),
  )
  assert.deepEqual(second?.reason, {
    rule: 'threshold-reached',
    from: 'failing',
    to: 'failing',
    runCount: 2,
    minutes: 1,
    threshold: { unit: 'runs', amount: 2 },
  })
})

const NAMES: { [From in TargetState]: { [To in TargetState]: AlertType } } = {
  passing: { passing: 'NO_ALERT', degraded: 'ALERT_DEGRADED', failing: 'ALERT_FAILURE' },
  degraded: {
    passing: 'ALERT_DEGRADED_RECOVERY',
    degraded: 'ALERT_DEGRADED_REMAIN',
    failing: 'ALERT_DEGRADED_FAILURE',
  },
  failing: { passing: 'ALERT_RECOVERY', degraded: 'ALERT_FAILURE_DEGRADED', failing: 'ALERT_FAILURE_REMAIN' },
}

/** The rules once more, told from the whole history instead of from a state: slow and plain. */
function isToldByTheBook(runs: readonly Run[], settings: AlertSettings): boolean[] {
  const results: boolean[] = []
  for (const [index, { to, atMs }] of runs.entries()) {
    const from = index === 0 ? 'passing' : (runs[index - 1]?.to ?? 'passing')
    const lastPassing = runs.slice(0, index).findLastIndex((run) => run.to === 'passing')
    const toldInEpisode = (...states: TargetState[]) =>
      runs.slice(lastPassing + 1, index).some((run, at) => results[lastPassing + 1 + at] && states.includes(run.to))
    const otherStateBefore = runs.slice(0, index).findLastIndex((run) => run.to !== to)
    const inARow = index - otherStateBefore
    const startedAtMs = runs[lastPassing + 1]?.atMs ?? atMs

    if (to === 'passing') {
      if (from === 'passing') results.push(false)
      else results.push(from === 'degraded' ? toldInEpisode('degraded') : toldInEpisode('degraded', 'failing'))
    } else if (from !== 'passing' && from !== to) {
      results.push(true)
    } else {
      const reached =
        settings.escalationType === 'RUN_BASED'
          ? inARow >= (settings.runBasedEscalation?.failedRunThreshold ?? 1)
          : from === to &&
            atMs - startedAtMs >= (settings.timeBasedEscalation?.minutesFailingThreshold ?? 5) * MINUTE_MS
      results.push(reached && !toldInEpisode(to))
    }
  }
  return results
}

const anySettings = fc.oneof(
  fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 5 as const).map(afterRuns),
  fc.constantFrom(5 as const, 10 as const, 15 as const, 30 as const).map(afterMinutes),
  fc.constant<AlertSettings>({ escalationType: 'RUN_BASED' }),
  fc.constant<AlertSettings>({ escalationType: 'TIME_BASED' }),
)
const histories = fc
  .array(fc.record({ to: fc.constantFrom(...TARGET_STATES), afterMs: fc.integer({ min: 1, max: 7 * MINUTE_MS }) }), {
    maxLength: 60,
  })
  .map((steps) => {
    let atMs = 1_700_000_000_000
    return steps.map(({ to, afterMs }): Run => {
      atMs += afterMs
      return { to, atMs }
    })
  })

test('over any history the state decides as the whole history would', () => {
  fc.assert(
    fc.property(histories, anySettings, (runs, settings) => {
      const decisions = decideAll(runs, settings)
      assert.deepEqual(
        decisions.map(({ due }) => due),
        isToldByTheBook(runs, settings),
      )
      for (const [index, { alertType, next }] of decisions.entries()) {
        const to = runs[index]?.to ?? 'passing'
        assert.equal(alertType, NAMES[index === 0 ? 'passing' : (runs[index - 1]?.to ?? 'passing')][to])
        assert.equal(next.state, to)
      }
    }),
    { numRuns: 2000 },
  )
})

test('whoever was told of trouble is told of its end, and nobody else', () => {
  fc.assert(
    fc.property(histories, anySettings, (runs, settings) => {
      let open = 0
      for (const { due, next } of decideAll(runs, settings)) {
        if (next.state === 'passing') {
          assert.equal(due, open > 0)
          open = 0
        } else if (due) open += 1
      }
    }),
    { numRuns: 1000 },
  )
})

test('the first alert comes with the first run at which people are told', () => {
  const settings = fc.oneof(
    fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 5 as const).map(afterRuns),
    fc.constantFrom(5 as const, 10 as const, 15 as const, 30 as const).map(afterMinutes),
  )
  const every = fc.constantFrom(10_000, MINUTE_MS, 30 * MINUTE_MS, 1440 * MINUTE_MS)
  fc.assert(
    fc.property(settings, every, fc.constantFrom('degraded' as const, 'failing' as const), (settings, everyMs, to) => {
      const first = firstAlert(to, settings, everyMs)
      assert.ok(first)
      const runs = Array.from({ length: first.runs }, (_, index): Run => ({ to, atMs: index * everyMs }))
      const due = decideAll(runs, settings).map((decision) => decision.due)
      assert.equal(due.indexOf(true), first.runs - 1)
      assert.equal(first.afterMs, (first.runs - 1) * everyMs)
    }),
  )
})

test('what is well never alerts', () => {
  assert.equal(firstAlert('passing', afterRuns(1), MINUTE_MS), null)
})

test('an episode has one beginning, from the run that leaves passing to the one that comes back', () => {
  const run = fc.record({ to: fc.constantFrom(...TARGET_STATES), afterMs: fc.integer({ min: 1, max: MINUTE_MS }) })
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), (course) => {
      let state = FRESH
      let atMs = 0
      let began: number | null = null
      for (const { to, afterMs } of course) {
        atMs += afterMs
        const decision = decideAlert(state, to, afterRuns(1), atMs)
        if (state.state === 'passing' && to !== 'passing') began = atMs
        if (began !== null) assert.equal(decision.episodeSinceMs, began)
        if (to === 'passing') began = null
        state = decision.next
      }
    }),
  )
})
