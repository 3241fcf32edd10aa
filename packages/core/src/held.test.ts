import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertSettings, TARGET_STATES, type TargetState } from '@vedette/schema'
import fc from 'fast-check'
import { type AlertState, canBeHeld, decideAlert, holdAlert, releaseAlert, WELL } from './alert-decision.ts'
import { type Ancestor, cycleThrough, holderOf, isReleased, UNHEARD_MS } from './held.ts'
import { incidentTurn } from './incident-turn.ts'
import { remindersAfter } from './reminders.ts'

const gateway: Ancestor = {
  ...{ checkId: 'g', name: 'Gateway', state: 'failing', sinceMs: 0, isTold: true, triedSinceMs: null },
  ...{ muted: false, activated: true, pause: null },
}

test('a check holds others while it fails or its newest failure is tried once more, if people hear of it', () => {
  const holds = (change: Partial<Ancestor>) => holderOf([{ ...gateway, ...change }], null, 50)?.name ?? null
  assert.equal(holds({}), 'Gateway')
  assert.equal(holds({ state: 'passing', triedSinceMs: 40 }), 'Gateway')
  assert.equal(holds({ pause: { fromMs: 51, untilMs: 100 } }), 'Gateway')
  const others: Partial<Ancestor>[] = [
    ...[{ state: 'passing' as const }, { state: 'degraded' as const }],
    ...[{ muted: true }, { activated: false }, { pause: { fromMs: 50, untilMs: 51 } }],
  ]
  for (const change of others) assert.equal(holds(change), null, JSON.stringify(change))
})

test('a check of which nobody was told holds others for five minutes, and no alert for longer than that', () => {
  const unheard = { ...gateway, isTold: false, sinceMs: 1000 }
  const tried = { ...gateway, state: 'passing' as const, triedSinceMs: 1000 }
  const holds = (ancestor: Ancestor, heldSinceMs: number | null, nowMs: number) =>
    holderOf([ancestor], heldSinceMs, nowMs) !== null
  for (const ancestor of [unheard, tried]) {
    assert.ok(holds(ancestor, null, 1000 + UNHEARD_MS - 1))
    assert.ok(!holds(ancestor, null, 1000 + UNHEARD_MS))
    assert.ok(!holds(ancestor, 500, 500 + UNHEARD_MS))
  }
  assert.ok(holds(gateway, 0, 100 * UNHEARD_MS), 'one of which people were told holds without end')
})

test('what is held is told when its parents are well; what runs soon after that was told has its run first', () => {
  const nowMs = 10 * UNHEARD_MS
  const well = { ...gateway, state: 'passing' as const, sinceMs: nowMs - 1000 }
  const released = (ancestor: Ancestor, runsSoon: boolean, atMs = nowMs) =>
    isReleased([ancestor], { heldSinceMs: nowMs - 60_000, runsSoon }, atMs)
  assert.ok(!released(gateway, false))
  assert.ok(released(well, false))
  assert.ok(!released(well, true))
  assert.ok(released({ ...well, isTold: false }, true))
  assert.ok(released(well, true, well.sinceMs + UNHEARD_MS))
  assert.ok(isReleased([], { heldSinceMs: 0, runsSoon: true }, 0), 'it depends on nothing any more')
})

test('the one to blame is one that fails rather than one in question', () => {
  const tried = { ...gateway, checkId: 't', state: 'passing' as const, triedSinceMs: 0 }
  assert.deepEqual(holderOf([tried, gateway], null, 0), { checkId: 'g', name: 'Gateway', isBeingTried: false })
  assert.deepEqual(holderOf([tried], null, 0), { checkId: 't', name: 'Gateway', isBeingTried: true })
  assert.equal(holderOf([], null, 0), null)
})

test('a circle is found from the check that would close it', () => {
  const dependsOn = new Map([
    ['a', ['b', 'x']],
    ['b', ['c']],
    ['c', ['a']],
    ['x', ['y']],
  ])
  assert.deepEqual(cycleThrough('a', dependsOn), ['a', 'b', 'c'])
  assert.equal(cycleThrough('x', dependsOn), null)
})

interface Run {
  to: TargetState
  isParentFailing: boolean
}

const runs: fc.Arbitrary<Run[]> = fc.array(
  fc.record({ to: fc.constantFrom(...TARGET_STATES), isParentFailing: fc.boolean() }),
  { maxLength: 30 },
)
const settings = fc.constantFrom(1, 2, 3).map(
  (failedRunThreshold): AlertSettings => ({
    escalationType: 'RUN_BASED',
    runBasedEscalation: { failedRunThreshold: failedRunThreshold as 1 | 2 | 3 },
    reminders: { amount: 1, interval: 5 },
  }),
)

/** As recording does it, a run a minute. */
function* judged(runs: readonly Run[], settings: AlertSettings) {
  let state: AlertState = { ...WELL, sinceMs: 0, runCount: 0 }
  for (const [minute, { to, isParentFailing }] of runs.entries()) {
    const before = state
    const alone = decideAlert(before, to, settings, minute * 60_000)
    const decision = canBeHeld(alone) && isParentFailing ? holdAlert(before, alone, minute * 60_000) : alone
    state = decision.next
    yield { before, alone, decision, to, isParentFailing, atMs: minute * 60_000 }
  }
}

test('no alert is lost: what was held is told with the next run in trouble whose parents are well', () => {
  fc.assert(
    fc.property(runs, settings, (runs, settings) => {
      let isHeld = false
      for (const { decision, to, isParentFailing } of judged(runs, settings)) {
        if (decision.reason.rule === 'parent-failing') isHeld = true
        else if (to === 'passing') isHeld = false
        else if (isHeld) {
          assert.equal(isParentFailing, false, 'while it is held, it is held again')
          assert.ok(decision.due)
          isHeld = false
        }
        assert.equal(decision.next.heldSinceMs !== null, isHeld)
      }
    }),
  )
})

const STEP_MS = 30_000
const parentStep = fc.record({
  state: fc.constantFrom(...TARGET_STATES),
  isTold: fc.boolean(),
  isTried: fc.boolean(),
  muted: fc.boolean(),
})
const steps = fc.array(
  fc.record({
    /** Null: no run of the check, or one in error. */
    to: fc.option(fc.constantFrom(...TARGET_STATES), { freq: 1 }),
    runsSoon: fc.boolean(),
    parents: fc.tuple(parentStep, parentStep),
    /** So that things last. */
    times: fc.integer({ min: 1, max: 14 }),
  }),
  { maxLength: 12 },
)

test('whatever happens, trouble five minutes beyond its threshold is told, or a check is on which it depends', () => {
  fc.assert(
    fc.property(steps, settings, (steps, settings) => {
      let state: AlertState = { ...WELL, sinceMs: 0, runCount: 0 }
      let alone = state
      let ancestors: Ancestor[] = ['a', 'b'].map((checkId) => ({
        ...gateway,
        checkId,
        state: 'passing',
        isTold: false,
      }))
      let nowMs = 0
      for (const { to, runsSoon, parents, times } of steps) {
        for (let time = 0; time < times; time += 1) {
          nowMs += STEP_MS
          ancestors = ancestors.map((before, index) => {
            const { isTried, ...now } = parents[index] ?? assert.fail()
            const sinceMs = now.state === before.state ? before.sinceMs : nowMs
            return { ...before, ...now, sinceMs, triedSinceMs: isTried ? (before.triedSinceMs ?? nowMs) : null }
          })
          if (to !== null && time === 0) {
            alone = decideAlert(alone, to, settings, nowMs).next
            const decision = decideAlert(state, to, settings, nowMs)
            const isHeld = canBeHeld(decision) && holderOf(ancestors, state.heldSinceMs, nowMs) !== null
            state = (isHeld ? holdAlert(state, decision, nowMs) : decision).next
          }
          const { heldSinceMs } = state
          if (heldSinceMs !== null && isReleased(ancestors, { heldSinceMs, runsSoon }, nowMs)) {
            const released = releaseAlert(state, settings, nowMs) ?? assert.fail()
            assert.ok(released.due)
            assert.equal(released.reason.rule, 'no-longer-held')
            state = released.next
          }
          const isHeardOf = ancestors.some(
            ({ state, isTold, sinceMs }) =>
              isTold && (state === 'failing' || (state === 'passing' && nowMs - sinceMs < UNHEARD_MS)),
          )
          if (state.heldSinceMs !== null && nowMs - state.heldSinceMs >= UNHEARD_MS) assert.ok(isHeardOf)
          // Nothing is forgotten: what would be told without parents is told or held.
          if (alone.notifiedFailure || alone.notifiedDegraded)
            assert.ok(state.notifiedFailure || state.notifiedDegraded || state.heldSinceMs !== null)
        }
      }
    }),
  )
})

test('nothing is released that is not held, or that is over', () => {
  const state: AlertState = { ...WELL, sinceMs: 0, runCount: 3 }
  const settings: AlertSettings = { escalationType: 'RUN_BASED' }
  assert.equal(releaseAlert({ ...state, state: 'failing' }, settings, 0), null)
  assert.equal(releaseAlert({ ...state, heldSinceMs: 0 }, settings, 0), null)
  const degraded = releaseAlert({ ...state, state: 'degraded', heldSinceMs: 0 }, settings, 60_000) ?? assert.fail()
  assert.equal(degraded.alertType, 'ALERT_DEGRADED_REMAIN')
  assert.deepEqual(degraded.next, { ...state, state: 'degraded', notifiedDegraded: true })
})

test('while a parent fails, no trouble is told, and no incident or reminder begins', () => {
  fc.assert(
    fc.property(runs, settings, (runs, settings) => {
      for (const { before, decision, to, isParentFailing, atMs } of judged(runs, settings)) {
        if (!isParentFailing || to === 'passing') continue
        assert.equal(decision.due, false)
        assert.equal(incidentTurn(decision, false), null)
        assert.equal(remindersAfter(before, decision, settings, atMs).kind, 'none')
      }
    }),
  )
})

test('the end of trouble is told exactly when any of it was', () => {
  fc.assert(
    fc.property(runs, settings, (runs, settings) => {
      let wasTold = false
      for (const { decision, to, before } of judged(runs, settings)) {
        if (to !== 'passing') wasTold ||= decision.due
        else {
          if (before.state !== 'passing') assert.equal(decision.due, wasTold, decision.reason.rule)
          wasTold = false
        }
      }
    }),
  )
})

test('without parents everything is as it was', () => {
  fc.assert(
    fc.property(runs, settings, (runs, settings) => {
      const alone = runs.map((run) => ({ ...run, isParentFailing: false }))
      for (const { decision } of judged(alone, settings)) assert.equal(decision.next.heldSinceMs, null)
    }),
  )
})
