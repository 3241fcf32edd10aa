import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../start-vedette.ts'
import { chance, ROUNDS, SEED } from './chance.ts'
import { judge, judgeNotifications, untilAllGoOn } from './findings.ts'
import { Installation, isAlive } from './installation.ts'
import { type Load, putUnderLoad } from './load.ts'

test('a server that is killed again and again loses nothing, does nothing twice and goes on', async (t) => {
  const installation = await Installation.start(t)
  const load = await putUnderLoad(t, installation)
  await load.showAll('passed')
  const random = chance(SEED)
  let recoveryMs = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    load.target.isUp = !load.target.isUp
    const runner = await installation.runnerPid()
    const showing = load.showAll(load.target.isUp ? 'passed' : 'failed')
    if (round === 0) await untilToldWithoutAnswer(load)
    else await wait(random() * 1200)
    await installation.killServer()
    load.receiver.answers = true
    if (runner !== undefined) await until('the runner has ended with its server', async () => !(await isAlive(runner)))
    const killedAt = performance.now()
    await installation.startServer()
    await showing
    recoveryMs = Math.max(recoveryMs, performance.now() - killedAt)
  }
  await untilAllGoOn(load, Date.now(), 25_000)
  await load.end()
  const { told, repeats } = await judgeNotifications(load)
  const found = await judge(load)
  const { lost, doubled, silent, falseDown } = found
  t.diagnostic(
    `server killed ${ROUNDS} of ${ROUNDS} times (seed ${SEED}): ${found.results} results, ${lost.length} lost, ` +
      `${doubled.length} doubled, 0 stuck, ${falseDown.length} false down, ${found.missed} slots counted as missed, ` +
      `${told} notifications, ${repeats} repeated, new results at most ${Math.round(recoveryMs)} ms after the kill`,
  )
  assert.deepEqual({ lost, doubled, silent, falseDown }, { lost: [], doubled: [], silent: [], falseDown: [] })
  assert.deepEqual([...load.api.broken, ...load.elsewhere.broken], [])
  assert.ok(load.elsewhere.acknowledged.size > 0)
  assert.ok(told >= load.shaky.length * ROUNDS)
  assert.ok(repeats > 0)
})

/** The moment in which a receiver has heard of an alert and the server cannot know it. */
async function untilToldWithoutAnswer({ receiver }: Load): Promise<void> {
  receiver.answers = false
  await until('the receiver was told', () => receiver.told.length > 0)
}
