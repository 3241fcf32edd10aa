import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardSettings, PAGINATION_RATES, REFRESH_RATES } from '@vedette/schema'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { CHECK_STATES } from './check-state.ts'
import { activeIncidents, checksAPage, type Look, pagesFor, renewalOf } from './state.ts'
import { overallInWords, overallState } from './words.ts'

const usual: DashboardSettings = Value.Parse(DashboardSettings, Value.Default(DashboardSettings, { header: 'Shop' }))

test('a screen that nobody touches sees every page for as long as it should, renewed often enough', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 8 }),
      fc.constantFrom(...REFRESH_RATES),
      fc.constantFrom(...PAGINATION_RATES),
      (pages, refreshRate, paginationRate) => {
        let look: Look = { page: 1, shownSeconds: 0, stays: false }
        const shown: number[] = Array.from({ length: pages }, () => 0)
        for (let seconds = 0; seconds < pages * paginationRate; ) {
          const { afterSeconds, look: next } = renewalOf(look, pages, { ...usual, refreshRate, paginationRate })
          assert.ok(afterSeconds > 0 && afterSeconds <= Math.max(refreshRate, paginationRate))
          shown[look.page - 1] = (shown[look.page - 1] ?? 0) + afterSeconds
          seconds += afterSeconds
          look = next
        }
        assert.deepEqual(
          shown,
          Array.from({ length: pages }, () => paginationRate),
        )
        assert.deepEqual(look, { page: 1, shownSeconds: 0, stays: false })
      },
    ),
  )
})

test('a page that stays, one that is alone and one that is not to be turned are renewed as they are', () => {
  const look = { page: 2, shownSeconds: 30, stays: false }
  const same = { page: 2, shownSeconds: 0, stays: false }
  assert.deepEqual(renewalOf({ ...look, stays: true }, 3, usual), { afterSeconds: 60, look: { ...same, stays: true } })
  assert.deepEqual(renewalOf(look, 1, usual), { afterSeconds: 60, look: same })
  assert.deepEqual(renewalOf(look, 3, { ...usual, paginate: false }), { afterSeconds: 60, look: same })
})

test('without a number of checks there are fifteen to a page, and never no page', () => {
  assert.equal(checksAPage({ ...usual, checksPerPage: null }), 15)
  assert.deepEqual(
    [0, 1, 15, 16, 31].map((checks) => pagesFor(checks, usual)),
    [1, 1, 1, 2, 3],
  )
})

test('an incident is active from when it begins until it ends, or until the last word on it is that it is over', () => {
  const incident = (
    name: string,
    startsAtMs: number,
    endsAtMs: number | null,
    ...told: ('MONITORING' | 'RESOLVED')[]
  ) => ({
    ...{ name, impact: 'MINOR' as const, startsAtMs, endsAtMs },
    updates: told.map((status) => ({ status, description: '', atMs: 0 })),
  })
  const active = activeIncidents(
    [
      incident('begun', 0, null, 'MONITORING'),
      incident('opened again', 0, null, 'MONITORING', 'RESOLVED'),
      incident('resolved', 0, null, 'RESOLVED', 'MONITORING'),
      incident('until later', 0, 101, 'RESOLVED'),
      incident('over', 0, 100, 'MONITORING'),
      incident('to come', 101, null, 'MONITORING'),
    ],
    100,
  )
  assert.deepEqual(
    active.map(({ name }) => name),
    ['begun', 'opened again', 'until later'],
  )
})

test('one sentence says how it all is', () => {
  for (const [counts, state, words] of [
    [{}, 'unknown', 'No check is running'],
    [{ passing: 1 }, 'passing', 'The check is passing'],
    [{ passing: 3, off: 2 }, 'passing', 'All 3 checks are passing'],
    [{ passing: 3, unknown: 1 }, 'passing', '3 of 4 checks are passing'],
    [{ unknown: 2 }, 'unknown', 'Nothing is known yet'],
    [{ maintenance: 1, passing: 1 }, 'passing', '1 of 2 checks is passing'],
    [{ degraded: 1, passing: 8 }, 'degraded', '1 of 9 checks is degraded'],
    [{ failing: 2, degraded: 1, passing: 9 }, 'failing', '2 of 12 checks are failing'],
    [{ failing: 1 }, 'failing', 'The check is failing'],
    [{ off: 4 }, 'off', 'No check is running'],
  ] as const) {
    const map = new Map(Object.entries(counts).map(([name, count]) => [asState(name), count]))
    assert.deepEqual([overallState(map), overallInWords(map)], [state, words])
  }
})

function asState(name: string) {
  const known = CHECK_STATES.find((one) => one === name)
  assert.ok(known)
  return known
}
