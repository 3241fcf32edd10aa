import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ASSET_LIMITS, SCRIPT_ASSET_TYPES, VERDICTS } from '@vedette/schema'
import fc from 'fast-check'
import { assetsToMakeRoom, filesToKeep, isAssetExpired, isLike, isSample, SAMPLED_EVERY_MS } from './asset-keeping.ts'

const aFile = fc.record({
  type: fc.constantFrom(...SCRIPT_ASSET_TYPES),
  size: fc.integer({ min: 0, max: ASSET_LIMITS.fileBytes * 2 }),
})
const aQuestion = fc.record({
  verdict: fc.constantFrom(...VERDICTS),
  isOnDemand: fc.boolean(),
  sampledAgoMs: fc.option(fc.integer({ min: 0, max: 2 * SAMPLED_EVERY_MS })),
})
const screenshot = { type: 'screenshot', size: 70_000 } as const
const smallTrace = { type: 'trace', size: 3000 } as const
const largeTrace = { type: 'trace', size: 300_000 } as const
const video = { type: 'video', size: 120_000 } as const
const often = { verdict: 'passed', isOnDemand: false, sampledAgoMs: 1000 } as const

test('of a run that did not pass everything is kept, what says the most first', () => {
  const files = [video, screenshot, largeTrace]
  assert.deepEqual(filesToKeep(files, { ...often, verdict: 'failed' }), [largeTrace, screenshot, video])
})

test('of a run on demand everything is kept', () => {
  assert.deepEqual(filesToKeep([screenshot], { ...often, isOnDemand: true }), [screenshot])
})

test('of runs that pass one an hour is kept, and every small trace', () => {
  assert.deepEqual(filesToKeep([screenshot, smallTrace, largeTrace], often), [smallTrace])
  const due = { ...often, sampledAgoMs: SAMPLED_EVERY_MS }
  assert.deepEqual([isSample(often), isSample(due), isSample({ ...often, sampledAgoMs: null })], [false, true, true])
  assert.deepEqual(filesToKeep([screenshot, smallTrace], due), [smallTrace, screenshot])
})

test('no run leaves more than its limits', () => {
  fc.assert(
    fc.property(fc.array(aFile, { maxLength: 400 }), aQuestion, (files, question) => {
      const kept = filesToKeep(files, question)
      assert.ok(kept.length <= ASSET_LIMITS.files)
      assert.ok(kept.reduce((sum, { size }) => sum + size, 0) <= ASSET_LIMITS.runBytes)
      assert.ok(kept.every((file) => files.includes(file)))
    }),
  )
})

test('files of runs that passed go sooner than those of others', () => {
  const rules = { passedForMs: 7, othersForMs: 30 }
  const expired = (passed: boolean, nowMs: number) => isAssetExpired({ passed, createdAtMs: 0, size: 1 }, rules, nowMs)
  assert.deepEqual(
    [expired(true, 6), expired(true, 7), expired(false, 29), expired(false, 30)],
    [false, true, false, true],
  )
})

test('room is made with as little as it takes: the oldest that passed first, failures only when nothing else is left', () => {
  const anAsset = fc.record({
    size: fc.integer({ min: 1, max: 1000 }),
    createdAtMs: fc.integer({ min: 0, max: 1000 }),
    passed: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(anAsset), fc.integer({ min: 0, max: 5000 }), (assets, bytes) => {
      const dropped = assetsToMakeRoom(assets, bytes)
      const sizeOf = (some: typeof assets) => some.reduce((sum, { size }) => sum + size, 0)
      assert.ok(sizeOf(dropped) >= Math.min(bytes, sizeOf(assets)))
      assert.ok(dropped.length === 0 || sizeOf(dropped.slice(0, -1)) < bytes)
      const left = assets.filter((asset) => !dropped.includes(asset))
      if (dropped.some(({ passed }) => !passed)) assert.ok(left.every(({ passed }) => !passed))
      for (const gone of dropped)
        assert.ok(left.every(({ passed, createdAtMs }) => passed !== gone.passed || createdAtMs >= gone.createdAtMs))
    }),
  )
})

test('patterns of names mean what a shell means', () => {
  assert.ok(isLike('1-trace.zip', '*.zip') && isLike('1-trace.zip', '?-*e.zip') && isLike('', '*') && isLike('a', 'a'))
  assert.ok(!isLike('1-trace.zip', '*.png') && !isLike('a', '') && !isLike('ab', '?') && !isLike('a.b', 'a?'))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 6 })
  fc.assert(
    fc.property(text, glob, (name, pattern) => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')
      assert.equal(isLike(name, pattern), new RegExp(`^${source}$`).test(name))
    }),
  )
})
