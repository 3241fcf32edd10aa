import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { timeOfUuid7, uuid7, uuid7Floor } from './uuid7.ts'

const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 })

test('has the form of a UUID of version 7 and tells its instant', () => {
  fc.assert(
    fc.property(instant, (atMs) => {
      const id = uuid7(atMs)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.equal(timeOfUuid7(id), atMs)
      assert.equal(timeOfUuid7(uuid7(atMs === 2 ** 48 - 1 ? atMs : atMs + 0.9)), atMs)
    }),
  )
})

test('ids are ordered by their instants, and the floor of an instant lies between what was before and what is after', () => {
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      if (a < b) assert.ok(uuid7(a) < uuid7(b))
      assert.ok(uuid7Floor(a) <= uuid7(a))
      if (a > b) assert.ok(uuid7(b) < uuid7Floor(a))
    }),
  )
})

test('no two are the same, also when thousands are made at the same instant', () => {
  const ids = new Set(Array.from({ length: 20_000 }, () => uuid7(1_750_000_000_000)))
  assert.equal(ids.size, 20_000)
})
