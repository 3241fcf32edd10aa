import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RetryStrategy, Verdict } from '@vedette/schema'
import fc from 'fast-check'
import { type AttemptEnd, planRetry } from './retry-plan.ts'
import { contradictedAfter, type SecondOpinion, secondOpinion } from './second-opinion.ts'

const silence: AttemptEnd = { attempt: 1, verdict: 'failed', networkError: true, startedAtMs: 0, nowMs: 1000 }
const HERE = 1
const THERE = 2

test('a first failure without an answer is taken to another place at once', () => {
  assert.deepEqual(planRetry(null, { ...silence, secondOpinion: 'possible' }), {
    again: true,
    reason: 'second-opinion',
    delayMs: 0,
    sameLocation: false,
  })
})

test('an answer that is wrong needs no second opinion, nor does a run that is everywhere at once', () => {
  assert.equal(planRetry(null, { ...silence, networkError: false, secondOpinion: 'possible' }).again, false)
  assert.equal(planRetry(null, { ...silence, runParallel: true, secondOpinion: 'possible' }).again, false)
})

test('nothing is added to a strategy that goes elsewhere by itself', () => {
  const elsewhere: RetryStrategy = { type: 'FIXED', baseBackoffSeconds: 0, maxRetries: 1, sameRegion: false }
  const used = { ...silence, attempt: 2, secondOpinion: 'possible' } as const
  assert.deepEqual(planRetry(elsewhere, used), { again: false, reason: 'used-up' })
  assert.equal(planRetry({ ...elsewhere, sameRegion: true }, used).reason, 'second-opinion')
})

test('what the other place says ends the run; where it cannot tell, the first place does', () => {
  for (const verdict of ['passed', 'degraded', 'failed'] as const)
    assert.equal(planRetry(null, { ...silence, attempt: 2, verdict, secondOpinion: 'asked' }).again, false)
  const inVain = planRetry(null, { ...silence, attempt: 2, verdict: 'error', secondOpinion: 'asked' })
  assert.deepEqual(inVain, { again: true, reason: 'opinion-in-vain', delayMs: 0 })
  for (const verdict of ['passed', 'failed', 'error'] as const)
    assert.equal(planRetry(null, { ...silence, attempt: 3, verdict, secondOpinion: 'asked-in-vain' }).again, false)
})

test('nobody is asked about a check that is failing already, or about a place that was contradicted before', () => {
  const here = { locationNo: HERE, opinionOn: null, contradicted: [] }
  assert.equal(secondOpinion(here, { state: 'passing', canAsk: true }), 'possible')
  assert.equal(secondOpinion(here, { state: 'degraded', canAsk: true }), 'possible')
  assert.equal(secondOpinion(here, { state: 'failing', canAsk: true }), 'none')
  assert.equal(secondOpinion(here, { state: 'passing', canAsk: false }), 'none')
  assert.equal(secondOpinion({ ...here, contradicted: [HERE] }, { state: 'passing', canAsk: true }), 'none')
})

/** One run that begins at a place; `see` says what a place sees at an attempt. */
function runAt(
  start: number,
  contradictedBefore: readonly number[],
  strategy: RetryStrategy | null,
  see: (place: number, attempt: number) => Verdict,
): { verdicts: Verdict[]; contradicted: readonly number[] } {
  let opinionOn: number | null = null
  let contradicted = contradictedBefore
  let locationNo = start
  let errorsBefore = 0
  const verdicts: Verdict[] = []
  for (;;) {
    const verdict = see(locationNo, verdicts.length)
    verdicts.push(verdict)
    const asked: SecondOpinion = secondOpinion(
      { locationNo, opinionOn, contradicted },
      { state: 'passing', canAsk: true },
    )
    contradicted = contradictedAfter({ locationNo, opinionOn, contradicted }, verdict)
    const end = { ...silence, attempt: verdicts.length, verdict, errorsBefore, secondOpinion: asked }
    const plan = planRetry(strategy, end)
    if (!plan.again) return { verdicts, contradicted }
    if (verdict === 'error') errorsBefore += 1
    if (plan.reason === 'opinion-in-vain') locationNo = opinionOn ?? locationNo
    else if (!plan.sameLocation) {
      if (plan.reason === 'second-opinion') opinionOn = locationNo
      locationNo = locationNo === HERE ? THERE : HERE
    }
  }
}

const verdict = fc.constantFrom<Verdict>('passed', 'degraded', 'failed', 'error')
const strategy = fc.option(
  fc.record({
    type: fc.constant('FIXED' as const),
    baseBackoffSeconds: fc.constant(0),
    maxRetries: fc.integer({ min: 1, max: 10 }),
    sameRegion: fc.boolean(),
  }),
)

test('a run ends, whatever its attempts see, after two attempts beyond strategy and trouble at most', () => {
  fc.assert(
    fc.property(strategy, fc.array(verdict, { minLength: 30, maxLength: 30 }), (strategy, seen) => {
      const { verdicts } = runAt(HERE, [], strategy, (_, attempt) => seen[attempt] ?? 'passed')
      assert.ok(verdicts.length <= 1 + (strategy?.maxRetries ?? 0) + 1 + 2)
    }),
  )
})

test('a target that is down for everyone fails its run, with one attempt more than without a second opinion', () => {
  fc.assert(
    fc.property(strategy, (strategy) => {
      const { verdicts } = runAt(HERE, [], strategy, () => 'failed')
      const more = strategy?.sameRegion === false ? 0 : 1
      assert.equal(verdicts.length, 1 + (strategy?.maxRetries ?? 0) + more)
      assert.equal(verdicts.at(-1), 'failed')
    }),
  )
})

test('other places that cannot tell never turn a failure into nothing', () => {
  const { verdicts } = runAt(HERE, [], null, (place) => (place === HERE ? 'failed' : 'error'))
  assert.deepEqual(verdicts, ['failed', 'error', 'failed'])
})

test('an outage that only one place sees counts from its second turn there', () => {
  const onlyHere = (place: number): Verdict => (place === HERE ? 'failed' : 'passed')
  const first = runAt(HERE, [], null, onlyHere)
  assert.deepEqual(first, { verdicts: ['failed', 'passed'], contradicted: [HERE] })
  const between = runAt(THERE, first.contradicted, null, onlyHere)
  assert.deepEqual(between, { verdicts: ['passed'], contradicted: [HERE] })
  assert.deepEqual(runAt(HERE, between.contradicted, null, onlyHere).verdicts, ['failed'])
})

test('a place that has seen the target well is doubted again', () => {
  const { contradicted } = runAt(HERE, [HERE], null, () => 'passed')
  assert.deepEqual(contradicted, [])
})
