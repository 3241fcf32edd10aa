import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../start-vedette.ts'
import { chance, ROUNDS, SEED } from './chance.ts'
import { judge, untilAllGoOn } from './findings.ts'
import { Installation, isAlive } from './installation.ts'
import { putUnderLoad } from './load.ts'

test('a runner that is killed mid-run is started again, and its runs are repeated by the next one', async (t) => {
  const installation = await Installation.start(t)
  const load = await putUnderLoad(t, installation)
  await load.showAll('passed')
  const random = chance(SEED)
  let lastKillAt = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const pid = await installation.runnerPid()
    assert.ok(pid !== undefined)
    await wait(random() * 700)
    process.kill(pid, 'SIGKILL')
    lastKillAt = Date.now()
    await until('the runner is gone', async () => !(await isAlive(pid)))
    await until('another runner is there', async () => (await installation.runnerPid()) !== undefined)
    await load.showAll('passed')
  }
  await untilAllGoOn(load, lastKillAt, 30_000)
  const againMs = Date.now() - lastKillAt
  await load.end()
  const found = await judge(load)
  const { lost, doubled, silent, falseDown } = found
  t.diagnostic(
    `runner killed ${ROUNDS} of ${ROUNDS} times (seed ${SEED}): ${found.results} results, ${lost.length} lost, ` +
      `${doubled.length} doubled, 0 stuck, ${falseDown.length} false down, ${found.errors} in error, ` +
      `${found.missed} slots counted as missed, every check ran again within ${Math.round(againMs / 1000)} s`,
  )
  assert.deepEqual({ lost, doubled, silent, falseDown }, { lost: [], doubled: [], silent: [], falseDown: [] })
  assert.deepEqual([...load.api.broken, ...load.elsewhere.broken], [])
})
