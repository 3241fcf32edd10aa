/**
 * Throws at a parser what it may be sent: samples of what it should get, with bytes changed, left out, doubled and put
 * in, and plain noise. `FUZZ_RUNS` says how often, `FUZZ_SEED` repeats a failure.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'

export const RUNS = Number(process.env.FUZZ_RUNS ?? 500)
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 0x7fffffff))
/** Of CPU, for one case. Nothing that is bounded comes near it, however busy the machine is. */
const CASE_LIMIT_MS = 5000

export interface Fuzzed<T> {
  from: fc.Arbitrary<T>
  /** Parses, and asserts what must hold of the outcome. */
  attempt: (input: T) => unknown
  /** What the parser may throw. */
  refuses: (error: unknown) => boolean
  /** The share of the runs where one costs much. */
  share?: number
}

/** Nothing at all may be thrown. */
export const never = (): boolean => false
export const only =
  (failure: abstract new (...args: never[]) => Error) =>
  (error: unknown): boolean =>
    error instanceof failure

export function fuzz<T>(name: string, { from, attempt, refuses, share = 1 }: Fuzzed<T>): void {
  test(name, async (t: TestContext) => {
    const numRuns = Math.max(1, Math.round(RUNS * share))
    const outcomes = { taken: 0, refused: 0 }
    const property = fc.asyncProperty(from, async (input) => {
      const before = process.cpuUsage()
      try {
        const outcome = attempt(input)
        // Awaiting what is no promise would cost a turn of the loop each time.
        if (outcome instanceof Promise) await outcome
        outcomes.taken += 1
      } catch (error) {
        if (error instanceof assert.AssertionError || !refuses(error)) throw error
        outcomes.refused += 1
      }
      const { user, system } = process.cpuUsage(before)
      assert.ok((user + system) / 1000 < CASE_LIMIT_MS, `it took ${(user + system) / 1000} ms of CPU`)
    })
    t.diagnostic(`FUZZ_SEED=${SEED}`)
    await fc.assert(property, { numRuns, seed: SEED })
    t.diagnostic(`${name}: ${numRuns} runs, ${outcomes.taken} taken, ${outcomes.refused} refused`)
  })
}

interface Edit {
  how: 'change' | 'remove' | 'repeat' | 'insert' | 'cut'
  at: number
  length: number
  bytes: Buffer
}

const edit = (tokens: readonly Buffer[]): fc.Arbitrary<Edit> =>
  fc.record({
    how: fc.constantFrom('change', 'remove', 'repeat', 'insert', 'cut'),
    at: fc.nat(0xffff),
    length: fc.integer({ min: 1, max: 40 }),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(...tokens),
    ),
  })

function applied(sample: Buffer, { how, at, length, bytes }: Edit): Buffer {
  const start = at % (sample.length + 1)
  const end = Math.min(start + length, sample.length)
  const [before, middle, after] = [sample.subarray(0, start), sample.subarray(start, end), sample.subarray(end)]
  switch (how) {
    case 'change':
      return Buffer.concat([before, bytes, sample.subarray(Math.min(start + bytes.length, sample.length))])
    case 'remove':
      return Buffer.concat([before, after])
    case 'repeat':
      return Buffer.concat([before, middle, middle, after])
    case 'insert':
      return Buffer.concat([before, bytes, middle, after])
    case 'cut':
      return before
  }
}

/** Samples with a few edits, two of them joined, or noise. */
export function bytesLike(samples: readonly Buffer[], tokens: readonly (string | Buffer)[] = []): fc.Arbitrary<Buffer> {
  const known = [...tokens.map((token) => Buffer.from(token)), Buffer.from([0]), Buffer.from([0xff, 0xff, 0xff, 0xff])]
  const sample = fc.constantFrom(...samples)
  const edited = fc
    .tuple(sample, fc.array(edit(known), { maxLength: 5 }))
    .map(([start, edits]) => edits.reduce(applied, start))
  const spliced = fc
    .tuple(edited, edited, fc.nat(0xffff), fc.nat(0xffff))
    .map(([one, other, a, b]) =>
      Buffer.concat([one.subarray(0, a % (one.length + 1)), other.subarray(b % (other.length + 1))]),
    )
  const built = fc
    .array(
      fc.oneof(
        fc.constantFrom(...known),
        fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
      ),
      {
        maxLength: 40,
      },
    )
    .map((parts) => Buffer.concat(parts))
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
  return fc.oneof(
    { weight: 5, arbitrary: edited },
    { weight: 2, arbitrary: spliced },
    { weight: 2, arbitrary: built },
    noise,
  )
}

export const textLike = (samples: readonly string[], tokens: readonly string[] = []): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: bytesLike(
        samples.map((sample) => Buffer.from(sample)),
        tokens,
      ).map(String),
    },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.constantFrom(...tokens, ...samples, ' '), { maxLength: 60 })
        .map((parts) => parts.join('')),
    },
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
