import assert from 'node:assert/strict'
import { test } from 'node:test'
import { METRIC_AGGREGATIONS } from '@vedette/schema'
import fc from 'fast-check'
import { ByteReader, ByteWriter } from './bytes.ts'
import { ACCURACY, aggregate, ExactValues, PercentileSketch } from './percentile-sketch.ts'

/** Milliseconds, from nothing to an hour, as results are stored: in single precision. */
const value = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0.001, max: 10, noNaN: true }).map(Math.fround),
  fc.integer({ min: 1, max: 3_600_000 }),
)
const values = fc.array(value, { minLength: 1, maxLength: 300 })

function sketchOf(given: readonly number[]): PercentileSketch {
  const sketch = new PercentileSketch()
  for (const one of given) sketch.add(one)
  return sketch
}

function merged(...sketches: readonly PercentileSketch[]): PercentileSketch {
  const sum = new PercentileSketch()
  for (const sketch of sketches) sum.merge(sketch)
  return sum
}

function bytesOf(sketch: PercentileSketch): Uint8Array {
  const writer = new ByteWriter()
  sketch.write(writer)
  return writer.done()
}

function near(actual: number | null, expected: number | null, tolerance: number, what: string): void {
  if (expected === null || actual === null) assert.equal(actual, expected, what)
  else
    assert.ok(
      Math.abs(actual - expected) <= tolerance * Math.abs(expected) + 1e-9,
      `${what}: ${actual}, not ${expected}`,
    )
}

test('every percentile is as near to the true one as promised, far within one percent', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const exact = new ExactValues()
      for (const one of given) exact.add(one)
      near(sketchOf(given).quantile(share), exact.quantile(share), ACCURACY * 1.001, `share ${share}`)
    }),
  )
})

test('percentiles lie between neighbours as they do in a spreadsheet', () => {
  const exact = new ExactValues()
  for (const one of [40, 10, 30, 20]) exact.add(one)
  assert.deepEqual(
    [0, 0.5, 0.9, 1].map((share) => exact.quantile(share)),
    [10, 25, 37, 40],
  )
})

test('count, sum, least, most and deviation are those of the values', () => {
  fc.assert(
    fc.property(values, (given) => {
      const exact = new ExactValues()
      for (const one of given) exact.add(one)
      const sketch = sketchOf(given)
      assert.equal(sketch.count, given.length)
      for (const aggregation of METRIC_AGGREGATIONS)
        near(aggregate(sketch, aggregation), aggregate(exact, aggregation), 0.01, aggregation)
    }),
  )
})

test('small deviations of large values are not lost', () => {
  const sketch = sketchOf([3_600_000, 3_600_000, 3_599_999])
  near(aggregate(sketch, 'stddev'), Math.sqrt(2) / 3, 1e-9, 'stddev')
})

test('a sum of sketches is the sketch of everything, in any order and any grouping', () => {
  fc.assert(
    fc.property(values, values, values, (a, b, c) => {
      const whole = sketchOf([...a, ...b, ...c])
      const sums = [
        merged(sketchOf(a), sketchOf(b), sketchOf(c)),
        merged(sketchOf(c), sketchOf(a), sketchOf(b)),
        merged(sketchOf(a), merged(sketchOf(b), sketchOf(c))),
      ]
      for (const sum of sums) {
        assert.deepEqual([sum.count, sum.min, sum.max], [whole.count, whole.min, whole.max])
        near(sum.sum, whole.sum, 1e-9, 'sum')
        near(sum.deviations, whole.deviations, 1e-6, 'deviations')
        for (const share of [0.1, 0.5, 0.9, 0.95, 0.99]) assert.equal(sum.quantile(share), whole.quantile(share))
      }
    }),
  )
})

test('a sketch comes out of its bytes as it went in', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 300 }), (given) => {
      const sketch = sketchOf(given)
      const bytes = bytesOf(sketch)
      const back = new PercentileSketch()
      back.read(new ByteReader(bytes))
      assert.deepEqual(
        [back.count, back.sum, back.deviations, back.min, back.max],
        [sketch.count, sketch.sum, sketch.deviations, sketch.min, sketch.max],
      )
      for (const share of [0, 0.3, 0.5, 0.99, 1]) assert.equal(back.quantile(share), sketch.quantile(share))
      assert.deepEqual(bytesOf(back), bytes)
    }),
  )
})

test('five results take a few dozen bytes, a day of them little more than a thousand', () => {
  assert.ok(bytesOf(sketchOf([81, 82.5, 79, 90, 340])).length <= 40)
  const day = Array.from({ length: 1440 }, (_, index) => 80 + ((index * 7919) % 400) + (index % 7) / 7)
  assert.ok(bytesOf(sketchOf(day)).length <= 600)
})

test('nothing has no figures; what is no number is left out, what is negative is nothing', () => {
  const sketch = sketchOf([Number.NaN, Number.POSITIVE_INFINITY])
  for (const aggregation of METRIC_AGGREGATIONS) assert.equal(aggregate(sketch, aggregation), null)
  assert.deepEqual(bytesOf(sketch), new Uint8Array([0]))
  sketch.add(-5)
  assert.deepEqual([sketch.count, sketch.min, sketch.quantile(0.5)], [1, 0, 0])
})

test('how many are at most so large is told to the width of a bucket', () => {
  const sketch = sketchOf([0, 1, 5, 10, 100, 1000])
  assert.deepEqual(
    [0, 2, 20, 150, 5000].map((bound) => sketch.countUpTo(bound)),
    [1, 2, 4, 5, 6],
  )
})
