import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Places } from './places.ts'

test('a channel takes a few places at a time', () => {
  const places = new Places()
  const { limit, perChannel } = places.wish()
  for (let taken = 0; taken < perChannel - 1; taken += 1) places.take(7)
  assert.equal(places.wish().room.get(7), 1)
  places.take(7)
  assert.equal(places.wish().room.get(7), 0)
  assert.equal(places.wish().limit, limit - perChannel)
  places.giveBack(7, true)
  assert.equal(places.wish().room.get(7), 1)
})

test('a channel whose try failed gets one place until a try succeeds', () => {
  const places = new Places()
  places.take(7)
  places.giveBack(7, false)
  assert.equal(places.wish().room.get(7), 1)
  places.take(7)
  assert.equal(places.wish().room.get(7), 0)
  places.giveBack(7, true)
  assert.equal(places.wish().room.get(7), undefined)
})

test('failing channels, however many, leave half of the places to the others, and take turns', () => {
  const places = new Places()
  const { limit } = places.wish()
  const dead = Array.from({ length: 1000 }, (_, index) => index + 1)
  for (const channel of dead) {
    places.take(channel)
    places.giveBack(channel, false)
  }
  const tried = new Set<number>()
  for (let round = 0; round < 4; round += 1) {
    const taking = [...places.wish().room].filter(([, room]) => room > 0).map(([channel]) => channel)
    assert.equal(taking.length, limit / 2)
    for (const channel of taking) places.take(channel)
    assert.equal(places.wish().limit, limit / 2)
    assert.ok([...places.wish().room.values()].every((room) => room === 0))
    for (const channel of taking) {
      tried.add(channel)
      places.giveBack(channel, false)
    }
  }
  assert.equal(tried.size, dead.length)
})
