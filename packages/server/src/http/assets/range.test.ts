import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRange } from './range.ts'

test('one range is understood in its three forms; whatever else is asked for gets the whole file', () => {
  assert.deepEqual(readRange('bytes=2-4', 10), { first: 2, last: 4 })
  assert.deepEqual(readRange('bytes=2-', 10), { first: 2, last: 9 })
  assert.deepEqual(readRange('bytes=-3', 10), { first: 7, last: 9 })
  for (const other of [undefined, '', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=4-2'])
    assert.equal(readRange(other, 10), null)
  for (const none of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) assert.equal(readRange(none, 10), 'none')
})

test('a range never leaves its file', () => {
  const part = fc.option(fc.nat({ max: 200 }), { nil: '' })
  fc.assert(
    fc.property(part, part, fc.nat({ max: 100 }), (from, to, size) => {
      const range = readRange(`bytes=${from}-${to}`, size)
      if (range === null || range === 'none') return
      assert.ok(range.first >= 0 && range.first <= range.last && range.last < size)
    }),
  )
})
