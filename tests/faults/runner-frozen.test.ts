import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { judge, untilAllGoOn } from './findings.ts'
import { Installation } from './installation.ts'
import { putUnderLoad } from './load.ts'

/** Longer than the three heartbeats after which a runner counts as lost. */
const FROZEN_MS = 20_000

test('what a runner reports after it stood still for long is dropped, and no target is blamed', async (t) => {
  const installation = await Installation.start(t)
  const load = await putUnderLoad(t, installation)
  await load.showAll('passed')
  const pid = await installation.runnerPid()
  assert.ok(pid !== undefined)
  process.kill(pid, 'SIGSTOP')
  try {
    await wait(FROZEN_MS)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const thawedAt = Date.now()
  await untilAllGoOn(load, thawedAt, 30_000)
  const againMs = Date.now() - thawedAt
  await load.end()
  const found = await judge(load)
  const { lost, doubled, silent, falseDown } = found
  t.diagnostic(
    `runner frozen for ${FROZEN_MS / 1000} s: ${found.results} results, ${lost.length} lost, ${doubled.length} doubled, ` +
      `${falseDown.length} false down, ${found.errors} in error, ${found.missed} slots counted as missed, ` +
      `every check ran again within ${Math.round(againMs / 1000)} s`,
  )
  assert.deepEqual({ lost, doubled, silent, falseDown }, { lost: [], doubled: [], silent: [], falseDown: [] })
  assert.deepEqual([...load.api.broken, ...load.elsewhere.broken], [])
})
