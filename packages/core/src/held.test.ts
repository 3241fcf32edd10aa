import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertSettings, TARGET_STATES, type TargetState } from '@vedette/schema'
import fc from 'fast-check'
import { type AlertState, canBeHeld, decideAlert, holdAlert, WELL } from './alert-decision.ts'
import { type Ancestor, cycleThrough, holderOf } from './held.ts'
import { incidentTurn } from './incident-turn.ts'
import { remindersAfter } from './reminders.ts'

const gateway: Ancestor = {
  ...{ checkId: 'g', name: 'Gateway', state: 'failing', isBeingTried: false },
  ...{ muted: false, activated: true, pause: null },
}

test('a check holds others while it fails or its newest failure is tried once more, if people hear of it', () => {
  const holds = (change: Partial<Ancestor>) => holderOf([{ ...gateway, ...change }], 50)?.name ?? null
  assert.equal(holds({}), 'Gateway')
  assert.equal(holds({ state: 'passing', isBeingTried: true }), 'Gateway')
  assert.equal(holds({ pause: { fromMs: 51, untilMs: 100 } }), 'Gateway')
  const others: Partial<Ancestor>[] = [
    ...[{ state: 'passing' as const }, { state: 'degraded' as const }],
    ...[{ muted: true }, { activated: false }, { pause: { fromMs: 50, untilMs: 51 } }],
  ]
  for (const change of others) assert.equal(holds(change), null, JSON.stringify(change))
})

test('the one to blame is one that fails rather than one in question', () => {
  const tried = { ...gateway, checkId: 't', state: 'passing' as const, isBeingTried: true }
  assert.deepEqual(holderOf([tried, gateway], 0), { checkId: 'g', name: 'Gateway', isBeingTried: false })
  assert.deepEqual(holderOf([tried], 0), { checkId: 't', name: 'Gateway', isBeingTried: true })
  assert.equal(holderOf([], 0), null)
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
    const decision = canBeHeld(alone) && isParentFailing ? holdAlert(before, alone) : alone
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
        assert.equal(decision.next.held, isHeld)
      }
    }),
  )
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
      for (const { decision } of judged(alone, settings)) assert.equal(decision.next.held, false)
    }),
  )
})
