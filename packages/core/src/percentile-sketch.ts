/**
 * How measurements are spread, in a form that adds up: the sketch of two sets together is the sum of their sketches.
 * Values fall into buckets whose bounds grow by a constant factor, so that every percentile is within `ACCURACY` of the
 * true one, whatever the values are. Source of the idea: Masson, Rim, Lee, "DDSketch", VLDB 2019.
 */
import type { MetricAggregation } from '@vedette/schema'
import type { ByteReader, ByteWriter } from './bytes.ts'

/** The largest relative error of a percentile. */
export const ACCURACY = 0.005

const GROWTH = (1 + ACCURACY) / (1 - ACCURACY)
const LOG_GROWTH = Math.log(GROWTH)
/** Less than a nanosecond is nothing, when milliseconds are measured. */
const SMALLEST = 1e-6
/** Below the bucket of the smallest value. */
const ZERO_BUCKET = -1500

/** What is asked of a set of measurements. */
export interface Spread {
  readonly count: number
  readonly sum: number
  /** The sum of the squared distances from the mean: squares of the values themselves would lose small deviations. */
  readonly deviations: number
  readonly min: number
  readonly max: number
  /** The value below which a share of the others lies, interpolated between neighbours; null of nothing. */
  quantile(share: number): number | null
  /** How many values are at most so large. */
  countUpTo(bound: number): number
}

export class PercentileSketch implements Spread {
  count = 0
  sum = 0
  deviations = 0
  min = Number.POSITIVE_INFINITY
  max = Number.NEGATIVE_INFINITY
  readonly #buckets = new Map<number, number>()

  /** What is no number is left out; what is negative counts as nothing. Single precision, as results are stored. */
  add(given: number): void {
    if (!Number.isFinite(given)) return
    const value = given < SMALLEST ? 0 : Math.fround(given)
    this.#fill(value === 0 ? ZERO_BUCKET : Math.ceil(Math.log(value) / LOG_GROWTH), 1)
    this.#absorb(1, value, 0, value, value)
  }

  merge(other: PercentileSketch): void {
    for (const [bucket, count] of other.#buckets) this.#fill(bucket, count)
    this.#absorb(other.count, other.sum, other.deviations, other.min, other.max)
  }

  quantile(share: number): number | null {
    if (this.count === 0) return null
    const buckets = [...this.#buckets].sort(([a], [b]) => a - b)
    return interpolated(share, this.count, (rank) => this.#valueAt(buckets, rank))
  }

  /** Exact to the width of a bucket. */
  countUpTo(bound: number): number {
    const last = bound < SMALLEST ? ZERO_BUCKET : Math.floor(Math.log(bound) / LOG_GROWTH + 1e-9)
    let count = 0
    for (const [bucket, values] of this.#buckets) if (bucket <= last) count += values
    return count
  }

  write(to: ByteWriter): void {
    to.varint(this.#buckets.size)
    if (this.#buckets.size === 0) return
    to.varint(this.count)
    to.float64(this.sum)
    to.float64(this.deviations)
    to.float32(this.min)
    to.float32(this.max)
    let before = ZERO_BUCKET
    for (const [bucket, count] of [...this.#buckets].sort(([a], [b]) => a - b)) {
      // Most buckets hold one value: the low bit says whether a count follows.
      to.varint((bucket - before) * 2 + (count > 1 ? 1 : 0))
      if (count > 1) to.varint(count)
      before = bucket
    }
  }

  /** Adds a sketch that was written. */
  read(from: ByteReader): void {
    const size = from.varint()
    if (size === 0) return
    this.#absorb(from.varint(), from.float64(), from.float64(), from.float32(), from.float32())
    let bucket = ZERO_BUCKET
    for (let entry = 0; entry < size; entry += 1) {
      const step = from.varint()
      bucket += Math.floor(step / 2)
      this.#fill(bucket, step % 2 === 1 ? from.varint() : 1)
    }
  }

  #fill(bucket: number, values: number): void {
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + values)
  }

  #absorb(count: number, sum: number, deviations: number, min: number, max: number): void {
    if (count === 0) return
    this.deviations += deviations + deviationsBetween(this.count, this.sum, count, sum)
    this.count += count
    this.sum += sum
    if (min < this.min) this.min = min
    if (max > this.max) this.max = max
  }

  #valueAt(buckets: readonly (readonly [number, number])[], rank: number): number {
    if (rank <= 0) return this.min
    if (rank >= this.count - 1) return this.max
    let seen = 0
    for (const [bucket, values] of buckets) {
      seen += values
      if (seen > rank) return Math.min(this.max, Math.max(this.min, middleOf(bucket)))
    }
    return this.max
  }
}

/** As near as can be to every value that falls into a bucket. */
function middleOf(bucket: number): number {
  return bucket === ZERO_BUCKET ? 0 : (2 * Math.exp(bucket * LOG_GROWTH)) / (GROWTH + 1)
}

/** What two sets have more together than each for itself. Source: Chan, Golub, LeVeque 1979. */
function deviationsBetween(countA: number, sumA: number, countB: number, sumB: number): number {
  if (countA === 0 || countB === 0) return 0
  const distance = sumB / countB - sumA / countA
  return (distance * distance * countA * countB) / (countA + countB)
}

/** The same answers from the values themselves, for sets that are small. */
export class ExactValues implements Spread {
  readonly #values: number[] = []
  #sorted = true
  sum = 0
  deviations = 0
  min = Number.POSITIVE_INFINITY
  max = Number.NEGATIVE_INFINITY

  get count(): number {
    return this.#values.length
  }

  add(given: number): void {
    if (!Number.isFinite(given)) return
    const value = Math.max(0, given)
    this.#values.push(value)
    this.#sorted = false
    this.deviations += deviationsBetween(this.count - 1, this.sum, 1, value)
    this.sum += value
    this.min = Math.min(this.min, value)
    this.max = Math.max(this.max, value)
  }

  quantile(share: number): number | null {
    if (this.#values.length === 0) return null
    if (!this.#sorted) this.#values.sort((a, b) => a - b)
    this.#sorted = true
    return interpolated(share, this.count, (rank) => this.#values[rank] ?? this.max)
  }

  countUpTo(bound: number): number {
    return this.#values.reduce((count, value) => count + (value <= bound ? 1 : 0), 0)
  }
}

function interpolated(share: number, count: number, valueAt: (rank: number) => number): number {
  const rank = Math.min(1, Math.max(0, share)) * (count - 1)
  const lower = Math.floor(rank)
  const below = valueAt(lower)
  return lower === rank ? below : below + (rank - lower) * (valueAt(lower + 1) - below)
}

const SHARES = { median: 0.5, p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const

/** One figure of a set; null of nothing. The standard deviation is that of the whole set, not of a sample. */
export function aggregate(spread: Spread, aggregation: MetricAggregation): number | null {
  const { count } = spread
  if (count === 0) return null
  switch (aggregation) {
    case 'avg':
      return spread.sum / count
    case 'sum':
      return spread.sum
    case 'min':
      return spread.min
    case 'max':
      return spread.max
    case 'stddev':
      return Math.sqrt(spread.deviations / count)
    default:
      return spread.quantile(SHARES[aggregation])
  }
}
