import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TARGET_STATES } from '@vedette/schema'
import fc from 'fast-check'
import { type AlertState, decideAlert } from './alert-decision.ts'
import { incidentTurn } from './incident-turn.ts'

const FRESH: AlertState = {
  state: 'passing',
  sinceMs: 0,
  runCount: 0,
  notifiedFailure: false,
  notifiedDegraded: false,
  heldSinceMs: null,
}
const SETTINGS = { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 2 } } as const

function turns(letters: string, muted = false): string {
  let state = FRESH
  return [...letters]
    .map((letter, index) => {
      const to = TARGET_STATES.find((name) => name.startsWith(letter))
      assert.ok(to)
      const decision = decideAlert(state, to, SETTINGS, index * 60_000)
      state = decision.next
      return incidentTurn(decision, muted)?.charAt(0) ?? '-'
    })
    .join('')
}

test('an incident begins with the failure that is told of, and is over when the check passes', () => {
  assert.equal(turns('pfffp'), '--o-c')
  assert.equal(turns('pfp'), '--c')
  assert.equal(turns('pdfdp'), '--o-c')
  assert.equal(turns('pdddp'), '----c')
})

test('a muted check opens none, and closes what it had opened', () => {
  assert.equal(turns('pfffp', true), '----c')
})

test('whatever happens, nothing stays open while the check passes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('p', 'd', 'f'), fc.boolean())), (runs) => {
      let state = FRESH
      let open = false
      runs.forEach(([letter, muted], index) => {
        const to = TARGET_STATES.find((name) => name.startsWith(letter)) ?? 'passing'
        const decision = decideAlert(state, to, SETTINGS, index * 60_000)
        state = decision.next
        const turn = incidentTurn(decision, muted)
        if (turn !== null) open = turn === 'opens'
        if (to === 'passing') assert.equal(open, false)
      })
    }),
  )
})
