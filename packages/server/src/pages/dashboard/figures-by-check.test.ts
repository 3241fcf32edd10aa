import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KnownCheck } from '../../results/roll-up-store.ts'
import type { Figures } from './figures.ts'
import { FiguresByCheck } from './figures-by-check.ts'

const checks = (...numbers: number[]): KnownCheck[] => numbers.map((no) => ({ no, kind: 'API' }))

const figures: Figures = {
  ...{ hours: [], hourlyP95Ms: [], days: [], last24Hours: 1, last7Days: 1, last30Days: 1 },
  ...{ p95Ms: null, p99Ms: null },
}

function aMinuteOfFigures() {
  let nowMs = 0
  const measured: number[][] = []
  const troubles: unknown[] = []
  const kept = new FiguresByCheck({
    ...{ lifeMs: 60_000, patienceMs: 1500, pauseMs: 2000, keepMs: 86_400_000, most: 100 },
    nowMs: () => nowMs,
    onTrouble: (_key, error) => troubles.push(error),
  })
  const measure = async (missing: readonly KnownCheck[]) => {
    measured.push(missing.map(({ no }) => no))
    return new Map(missing.map(({ no }) => [no, figures]))
  }
  const ask = async (...numbers: number[]) => [...(await kept.of(checks(...numbers), measure)).keys()]
  const wait = (ms: number) => {
    nowMs += ms
  }
  return { kept, ask, measured, troubles, wait }
}

test('a check is measured once a minute, in whatever order and company it is shown', async () => {
  const { ask, measured, wait } = aMinuteOfFigures()
  assert.deepEqual(await ask(1, 2, 3), [1, 2, 3])
  assert.deepEqual(await ask(3, 1, 2), [3, 1, 2])
  assert.deepEqual(await ask(2), [2])
  assert.deepEqual(await ask(4, 2), [4, 2])
  assert.deepEqual(measured, [[1, 2, 3], [4]])
  wait(60_000)
  await Promise.all([ask(1, 2), ask(2, 1, 3)])
  assert.deepEqual(measured.slice(2), [[1, 2], [3]])
})

test('when measuring fails, what is known is shown, and the trouble is told once', async () => {
  const { kept, ask, troubles, wait } = aMinuteOfFigures()
  const error = new Error('away')
  const fail = () => Promise.reject(error)
  await assert.rejects(kept.of(checks(1, 2), fail), error)
  await ask(1, 2)
  wait(60_000)
  const shown = await kept.of(checks(1, 2), fail)
  assert.deepEqual([...shown.keys()], [1, 2])
  assert.deepEqual(troubles, [error])
  assert.deepEqual([...(await kept.of([], fail))], [])
})
