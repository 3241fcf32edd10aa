import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERDICTS } from '@vedette/schema'
import fc from 'fast-check'
import { type Cell, RollUp } from './roll-up.ts'

const result = fc.record({
  key: fc.record({
    verdict: fc.constantFrom(...VERDICTS),
    final: fc.boolean(),
    statusCode: fc.constantFrom(null, 200, 404, 503),
  }),
  times: fc.array(fc.option(fc.integer({ min: 0, max: 30_000 })), { minLength: 6, maxLength: 6 }),
})
const results = fc.array(result, { maxLength: 60 })
type Given = typeof results extends fc.Arbitrary<infer R> ? R : never

function rollUpOf(given: Given): RollUp {
  const rollUp = new RollUp()
  for (const { key, times } of given) rollUp.add(key, times)
  return rollUp
}

const told = (cells: readonly Cell[]) =>
  cells.map((cell) => ({
    ...cell,
    times: cell.times.map((sketch) => [sketch.count, sketch.sum, sketch.min, sketch.max, sketch.quantile(0.9)]),
  }))

test('a roll-up comes out of its bytes as it went in', () => {
  fc.assert(
    fc.property(results, (given) => {
      const rollUp = rollUpOf(given)
      const back = new RollUp()
      back.read(rollUp.encode(), () => true)
      assert.deepEqual(told(back.cells()), told(rollUp.cells()))
      assert.deepEqual(back.encode(), rollUp.encode())
    }),
  )
})

test('roll-ups of parts add up to the roll-up of the whole', () => {
  fc.assert(
    fc.property(results, results, (a, b) => {
      const sum = new RollUp()
      sum.read(rollUpOf(a).encode(), () => true)
      sum.read(rollUpOf(b).encode(), () => true)
      assert.deepEqual(told(sum.cells()), told(rollUpOf([...a, ...b]).cells()))
    }),
  )
})

test('a reader gets the measures that it wants, and counts in any case', () => {
  fc.assert(
    fc.property(results, fc.integer({ min: 1, max: 5 }), (given, wanted) => {
      const whole = rollUpOf(given)
      const part = new RollUp()
      part.read(whole.encode(), (measure) => measure === wanted)
      const main = new RollUp()
      main.read({ main: whole.encode().main, others: null }, () => true)
      for (const [index, cell] of told(whole.cells()).entries()) {
        assert.equal(part.cells()[index]?.count, cell.count)
        assert.deepEqual(told(part.cells())[index]?.times[wanted], cell.times[wanted])
        assert.deepEqual(told(main.cells())[index]?.times[0], cell.times[0])
      }
    }),
  )
})

test('trouble of our own is counted, but its times are not the target’s', () => {
  const rollUp = rollUpOf([{ key: { verdict: 'error', final: true, statusCode: null }, times: [1, 2, 3, 4, 5, 6] }])
  const [cell] = rollUp.cells()
  assert.deepEqual([cell?.count, cell?.times[0]?.count], [1, 0])
})
