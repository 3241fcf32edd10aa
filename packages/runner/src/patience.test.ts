import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Patience, SOON_MS } from './patience.ts'

test('waits longer from failure to failure, up to half a minute, and begins anew after a success', (t) => {
  t.mock.method(Math, 'random', () => 1)
  const patience = new Patience()
  const waits = Array.from({ length: 9 }, () => patience.nextMs())
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  patience.reset()
  assert.equal(patience.nextMs(), 250)
})

test('runners that failed together do not come back together', () => {
  const waits = Array.from({ length: 50 }, () => new Patience().nextMs())
  assert.ok(Math.min(...waits) < 80 && Math.max(...waits) > 170)
})

test('a server that says it cannot serve for a moment is asked again soon, however long that moment takes', (t) => {
  t.mock.method(Math, 'random', () => 1)
  const patience = new Patience()
  const waits = Array.from({ length: 30 }, () => patience.nextMs(SOON_MS))
  assert.equal(Math.max(...waits), SOON_MS)
})
