import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../start-vedette.ts'
import { chance, IS_LONG, ROUNDS, SEED } from './chance.ts'
import { judge, judgeNotifications } from './findings.ts'
import { Installation } from './installation.ts'
import { type Load, putUnderLoad } from './load.ts'

/** When it strikes: on the way from what a runner has seen to the record that somebody was told. */
const MOMENTS = ['while it is decided', 'while it is delivered', 'before it is recorded'] as const
const VICTIMS = ['server', 'PostgreSQL'] as const
/** Every victim at every moment; three in a row are all moments and both victims. */
const STRIKES = [0, 1, 2, 3, 4, 5].map((no) => ({ victim: VICTIMS[no % 2], moment: MOMENTS[no % 3] }))

test('whatever is killed at whatever step, every alert is told, and recorded as sent once', async (t) => {
  const installation = await Installation.start(t)
  const load = await putUnderLoad(t, installation, { steady: 0, elsewhere: 0, shaky: 6 })
  await load.showAll('passed')
  const random = chance(SEED)
  const rounds = IS_LONG ? ROUNDS : MOMENTS.length
  for (let round = 0; round < rounds; round += 1) {
    const { victim, moment } = STRIKES[(SEED + round) % STRIKES.length] ?? {}
    assert.ok(victim !== undefined && moment !== undefined)
    load.target.isUp = !load.target.isUp
    const strike = untilTheMoment(load, moment, random())
    const showing = load.showAll(load.target.isUp ? 'passed' : 'failed')
    await strike
    await (victim === 'server' ? killServer(installation, load) : killDatabase(installation, load))
    await showing
  }
  await load.end()
  const { told, repeats } = await judgeNotifications(load)
  const { results, lost, doubled, falseDown } = await judge(load)
  t.diagnostic(
    `${rounds} kills (seed ${SEED}): ${results} results, ${lost.length} lost, ${doubled.length} doubled; ${told} notifications, ${repeats} repeated`,
  )
  assert.deepEqual({ lost, doubled, falseDown }, { lost: [], doubled: [], falseDown: [] })
  assert.deepEqual(load.api.broken, [])
  assert.ok(told >= load.shaky.length * rounds)
  if (IS_LONG) assert.ok(repeats > 0, 'none was struck between telling and recording')
})

/** Resolves at the moment, or when it does not come: what is told may have been told before. */
async function untilTheMoment({ target, receiver }: Load, moment: (typeof MOMENTS)[number], share: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  // From the answer of the target to its alert in the outbox it takes some tens of milliseconds.
  if (moment === 'while it is decided') target.onAnswer = () => setTimeout(resolve, share * 50)
  else if (moment === 'before it is recorded') receiver.onAnswer = () => setTimeout(resolve, share * 5)
  else {
    receiver.answers = false
    receiver.onTold = () => setTimeout(resolve, share * 20)
  }
  await Promise.race([promise, wait(15_000, undefined, { ref: false })])
  target.onAnswer = () => {}
  receiver.onTold = () => {}
  receiver.onAnswer = () => {}
}

async function killServer(installation: Installation, { receiver }: Load): Promise<void> {
  await installation.killServer()
  receiver.answers = true
  await installation.startServer()
}

async function killDatabase(installation: Installation, { receiver }: Load): Promise<void> {
  const pid = await installation.postmasterPid()
  assert.ok(pid !== undefined)
  process.kill(pid, 'SIGKILL')
  receiver.answers = true
  await until(
    'another PostgreSQL is there',
    async () => {
      const now = await installation.postmasterPid()
      return now !== undefined && now !== pid && (await installation.isUp())
    },
    60_000,
  )
}
