import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Copies } from './copies.ts'

const HOUR = 3_600_000

function start(most = 10) {
  const troubles: string[] = []
  const clock = { nowMs: 0 }
  const copies = new Copies<string>({
    ...{ lifeMs: 10_000, patienceMs: 20, pauseMs: 2000, keepMs: 24 * HOUR, most },
    nowMs: () => clock.nowMs,
    onTrouble: (key) => troubles.push(key),
  })
  return { copies, clock, troubles }
}

const fails = () => Promise.reject(new Error('away'))

test('many callers at once are answered by one copy, which lives for a while', async () => {
  const { copies, clock } = start()
  let made = 0
  const make = async () => `copy ${++made}`
  const seen = await Promise.all(Array.from({ length: 50 }, () => copies.get('a', make)))
  assert.deepEqual(new Set(seen.map(({ value }) => value)), new Set(['copy 1']))
  clock.nowMs = 9999
  assert.deepEqual(await copies.get('a', make), { value: 'copy 1', ageMs: 9999, isOld: false })
  clock.nowMs = 10_000
  const renewed = await Promise.all(Array.from({ length: 50 }, () => copies.get('a', make)))
  assert.deepEqual(new Set(renewed.map(({ value }) => value)), new Set(['copy 2']))
  assert.equal(made, 2)
})

test('when no new copy can be made the last one is shown with its age, and the next try waits', async () => {
  const { copies, clock, troubles } = start()
  await copies.get('a', async () => 'one')
  clock.nowMs = HOUR
  assert.deepEqual(await copies.get('a', fails), { value: 'one', ageMs: HOUR, isOld: true })
  clock.nowMs += 1999
  assert.equal((await copies.get('a', () => assert.fail('tried too early'))).value, 'one')
  clock.nowMs += 1
  assert.deepEqual(await copies.get('a', async () => 'two'), { value: 'two', ageMs: 0, isOld: false })
  assert.deepEqual(troubles, ['a'])
})

test('whoever would have to wait long sees the old copy, and the new one comes for the next', async () => {
  const { copies, clock } = start()
  await copies.get('a', async () => 'one')
  clock.nowMs = 60_000
  const slow = Promise.withResolvers<string>()
  assert.deepEqual(await copies.get('a', () => slow.promise), { value: 'one', ageMs: 60_000, isOld: true })
  slow.resolve('two')
  assert.equal((await copies.get('a', fails)).value, 'two')
})

test('without a copy, or with one that is too old, the failure is the answer', async () => {
  const { copies, clock } = start()
  await assert.rejects(copies.get('a', fails), /away/)
  await copies.get('a', async () => 'one')
  clock.nowMs = 24 * HOUR + 1
  await assert.rejects(copies.get('a', fails), /away/)
})

test('what does not exist is remembered apart and pushes no copy out', async () => {
  const { copies } = start(2)
  await copies.get('a', async () => 'one')
  for (const key of ['x', 'y', 'z']) assert.equal((await copies.get(key, async () => null)).value, null)
  assert.equal((await copies.get('a', fails)).value, 'one')
  assert.equal((await copies.get('z', fails)).value, null)
  await assert.rejects(copies.get('x', fails))
})

test('the copy unused for longest makes room', async () => {
  const { copies } = start(2)
  await copies.get('a', async () => 'a')
  await copies.get('b', async () => 'b')
  await copies.get('a', fails)
  await copies.get('c', async () => 'c')
  assert.equal((await copies.get('a', fails)).value, 'a')
  await assert.rejects(copies.get('b', fails))
})

test('who may not have a copy made is refused, unless there is one or somebody else is making it', async () => {
  const { copies, clock } = start()
  const refuse = () => {
    throw new Error('too many')
  }
  await assert.rejects(
    copies.get('a', async () => 'one', refuse),
    /too many/,
  )
  const [first, second] = await Promise.all([copies.get('a', async () => 'one'), copies.get('a', fails, refuse)])
  assert.deepEqual([first.value, second.value], ['one', 'one'])
  clock.nowMs = 10_000
  assert.equal((await copies.get('a', async () => 'two', refuse)).value, 'two')
})
