import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISOLATION_LAYERS, ISOLATION_LEVELS, type Isolation } from '@vedette/schema'
import fc from 'fast-check'
import { weakestIsolation } from './isolation.ts'

const isolation: fc.Arbitrary<Isolation> = fc.record({
  level: fc.constantFrom(...ISOLATION_LEVELS, 'none' as const),
  layers: fc.subarray([...ISOLATION_LAYERS]),
})

test('a place keeps scripts apart as its weakest runner does, and by what all of them add', () => {
  const strict: Isolation = { level: 'strict', layers: ['seccomp', 'cgroup'] }
  assert.equal(weakestIsolation([]), null)
  assert.equal(weakestIsolation([null]), null)
  assert.deepEqual(weakestIsolation([null, strict]), strict)
  assert.deepEqual(weakestIsolation([strict, { level: 'strict', layers: ['seccomp'] }]), {
    level: 'strict',
    layers: ['seccomp'],
  })
  assert.deepEqual(weakestIsolation([strict, { level: 'reduced', layers: ['cgroup'] }]), {
    level: 'reduced',
    layers: ['cgroup'],
  })
  assert.equal(
    weakestIsolation([
      { level: 'reduced', layers: [] },
      { level: 'none', layers: [] },
    ])?.level,
    'none',
  )
})

test('the order of runners does not matter, and another runner never makes a place stronger', () => {
  const order = ['none', 'reduced', 'namespaces', 'strict']
  fc.assert(
    fc.property(fc.array(isolation, { minLength: 1 }), isolation, (all, other) => {
      const before = weakestIsolation(all)
      const after = weakestIsolation([other, ...all])
      assert.ok(before !== null && after !== null)
      assert.deepEqual(new Set(weakestIsolation(all.toReversed())?.layers), new Set(before.layers))
      assert.equal(weakestIsolation(all.toReversed())?.level, before.level)
      assert.ok(order.indexOf(after.level) <= order.indexOf(before.level))
    }),
  )
})
