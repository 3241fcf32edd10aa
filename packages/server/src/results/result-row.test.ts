import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERDICTS } from '@vedette/schema'
import fc from 'fast-check'
import { FINAL_FLAG, packFlags, sequenceIdOf, unpackFlags } from './result-row.ts'

test('flags come out of a row as they went in, and fit its column', () => {
  const flags = fc.record({
    verdict: fc.constantFrom(...VERDICTS),
    overMaxResponseTime: fc.boolean(),
    final: fc.boolean(),
    networkError: fc.boolean(),
    parallel: fc.boolean(),
  })
  fc.assert(
    fc.property(flags, (given) => {
      const packed = packFlags(given)
      assert.deepEqual(unpackFlags(packed), { ...given })
      assert.ok(packed >= 0 && packed < 2 ** 15)
      assert.equal((packed & FINAL_FLAG) !== 0, given.final)
    }),
  )
})

test('what is stored keeps its meaning: the numbers of the verdicts never change', () => {
  assert.deepEqual(
    VERDICTS.map((verdict) =>
      packFlags({ verdict, overMaxResponseTime: false, final: false, networkError: false, parallel: false }),
    ),
    [0, 1, 2, 3],
  )
})

test('the attempts of a run share an id that no other run, check or parallel location has', () => {
  assert.equal(sequenceIdOf(1, 100, null), sequenceIdOf(1, 100, null))
  const ids = [sequenceIdOf(1, 100, null), sequenceIdOf(1, 101, null), sequenceIdOf(2, 100, null)]
  ids.push(sequenceIdOf(1, 100, 3), sequenceIdOf(1, 100, 4))
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
})
