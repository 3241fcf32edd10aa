import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../start-vedette.ts'
import { chance, ROUNDS, SEED } from './chance.ts'
import { judge, judgeNotifications, untilAllGoOn } from './findings.ts'
import { Installation } from './installation.ts'
import { putUnderLoad } from './load.ts'

test('a PostgreSQL that is killed again and again comes back by itself, and nothing is lost meanwhile', async (t) => {
  const installation = await Installation.start(t)
  const load = await putUnderLoad(t, installation)
  await load.showAll('passed')
  const random = chance(SEED)
  const answers = new Map<number, number>()
  const watching = new AbortController()
  const watched = watch(installation, answers, watching.signal)
  t.after(() => watching.abort())
  let longestMs = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    load.target.isUp = !load.target.isUp
    const showing = load.showAll(load.target.isUp ? 'passed' : 'failed')
    await wait(random() * 700)
    const pid = await installation.postmasterPid()
    assert.ok(pid !== undefined)
    process.kill(pid, 'SIGKILL')
    const killedAt = performance.now()
    await until('another PostgreSQL is there', async () => {
      const now = await installation.postmasterPid()
      return now !== undefined && now !== pid && (await installation.isUp())
    })
    longestMs = Math.max(longestMs, performance.now() - killedAt)
    await showing
  }
  await untilAllGoOn(load, Date.now(), 25_000)
  watching.abort()
  await watched
  await load.end()
  const { told, repeats } = await judgeNotifications(load)
  const found = await judge(load)
  const { lost, doubled, silent, falseDown } = found
  t.diagnostic(
    `PostgreSQL killed ${ROUNDS} of ${ROUNDS} times (seed ${SEED}): ${found.results} results, ${lost.length} lost, ` +
      `${doubled.length} doubled, 0 stuck, ${falseDown.length} false down, ${found.missed} slots counted as missed, ` +
      `${told} notifications, ${repeats} repeated, away for at most ${Math.round(longestMs)} ms, ` +
      `answers ${[...answers].map(([status, count]) => `${status}: ${count}`).join(', ')}`,
  )
  assert.deepEqual({ lost, doubled, silent, falseDown }, { lost: [], doubled: [], silent: [], falseDown: [] })
  assert.deepEqual([...load.api.broken, ...load.elsewhere.broken], [])
  assert.deepEqual(
    [...answers.keys()].filter((status) => status !== 200 && status !== 503),
    [],
  )
})

/** Someone who looks at the list of checks all the time. */
async function watch({ url, apiKey }: Installation, answers: Map<number, number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const response = await fetch(`${url}/v1/checks?limit=5`, { headers: { authorization: `Bearer ${apiKey}` } })
    await response.arrayBuffer()
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
    await wait(20)
  }
}
