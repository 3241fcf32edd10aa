import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeDaysUntil } from './certificate-days.ts'

const DAY = 86_400_000
const table: [leftMs: number, days: number][] = [
  [0, 0],
  [1, 0],
  [DAY - 1, 0],
  [DAY, 1],
  [30 * DAY + 5, 30],
  [-1, -1],
  [-DAY, -1],
  [-DAY - 1, -2],
]
for (const [leftMs, days] of table)
  test(`with ${leftMs} ms left there are ${days} whole days`, () =>
    assert.equal(wholeDaysUntil(1e12 + leftMs, 1e12), days))
