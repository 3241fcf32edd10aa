import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ASK_AGAIN_AFTER_MS, isGivenUp, MOST_ASKS, mailRetryDelayMs, shouldAsk } from './subscriber-mail.ts'

test('a new address is asked, and one that nobody has asked yet', () => {
  assert.equal(shouldAsk(null, 0), true)
  assert.equal(shouldAsk({ status: 'PENDING', askedAtMs: null, asks: 0 }, 0), true)
})

test('however often somebody asks, an address gets few questions, and none in quick succession', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 * ASK_AGAIN_AFTER_MS }), { maxLength: 60 }), (pauses) => {
      const asked: number[] = []
      let nowMs = 0
      for (const pause of pauses) {
        nowMs += pause
        const known = { status: 'PENDING', askedAtMs: asked.at(-1) ?? null, asks: asked.length } as const
        if (shouldAsk(known, nowMs)) asked.push(nowMs)
      }
      assert.ok(asked.length <= MOST_ASKS)
      for (const [index, at] of asked.entries())
        if (index > 0) assert.ok(at - (asked[index - 1] ?? 0) >= ASK_AGAIN_AFTER_MS)
    }),
  )
})

test('who has agreed is never asked again', () => {
  fc.assert(
    fc.property(fc.option(fc.nat()), fc.nat(), fc.nat(), (askedAtMs, asks, nowMs) => {
      assert.equal(shouldAsk({ status: 'VERIFIED', askedAtMs, asks }, nowMs), false)
    }),
  )
})

test('each try waits longer than the one before, whatever chance says, until the mail is given up', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.array(chance, { minLength: 30, maxLength: 30 }), (chances) => {
      const delays = chances.map((given, index) => mailRetryDelayMs(index + 1, given))
      const end = delays.indexOf(null)
      assert.ok(end > 0 && delays.slice(end).every((delay) => delay === null))
      for (let index = 1; index < end; index++) assert.ok((delays[index] ?? 0) > (delays[index - 1] ?? 0))
    }),
  )
})

test('an address is given up at the third refusal in a row', () => {
  assert.deepEqual([1, 2, 3, 4].map(isGivenUp), [false, false, true, true])
})
