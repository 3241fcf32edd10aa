import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Room } from './room.ts'

const LONG = 60_000
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('runs that wait come in in the order in which they came', async () => {
  const room = new Room({ places: 1, waitsMs: LONG, freeBytes: () => 1000 })
  const leave = await room.enter(10)
  const order: number[] = []
  const others = [1, 2, 3].map(async (number) => {
    const leave = await room.enter(10)
    order.push(number)
    leave()
  })
  await settled()
  assert.deepEqual([order, room.inside], [[], 1])
  assert.deepEqual(room.load, { running: 1, waiting: 3, turnedAway: 0 })
  leave()
  leave()
  await Promise.all(others)
  assert.deepEqual([order, room.inside], [[1, 2, 3], 0])
})

test('memory is counted as taken before it is, and a small run does not overtake a large one for ever', async () => {
  let free = 1000
  const room = new Room({ places: 10, waitsMs: LONG, freeBytes: () => free })
  await room.enter(600)
  const order: string[] = []
  const large = room.enter(600).then(() => order.push('large'))
  const small = room.enter(10).then(() => order.push('small'))
  await settled()
  assert.deepEqual(order, [])
  free = 2000
  await Promise.all([large, small])
  assert.deepEqual(order, ['large', 'small'])
})

test('who gets no room in time learns why, and lets others in', async () => {
  const room = new Room({ places: 3, waitsMs: 20, freeBytes: () => 64 * 1024 * 1024 })
  await room.enter(10)
  const large = room.enter(65 * 1024 * 1024)
  const small = room.enter(10)
  await assert.rejects(large, /no room for the script within 0.02 s: 1 others are running, 64 MiB of memory are free/)
  await small
  assert.deepEqual(room.load, { running: 2, waiting: 0, turnedAway: 1 })
})

test('a room that is closed lets nobody in', async () => {
  const room = new Room({ places: 1, waitsMs: LONG, freeBytes: () => 1000 })
  await room.enter(1)
  const waiting = room.enter(1)
  room.close()
  await assert.rejects(waiting, /is ending/)
  await assert.rejects(room.enter(1), /is ending/)
  assert.equal(room.has(1), false)
})
