import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INCIDENT_STATUSES } from '@vedette/schema'
import fc from 'fast-check'
import { type IncidentStep, troubleMs } from './incident-progress.ts'

const steps = (...told: [IncidentStep['status'], number][]) => told.map(([status, atMs]) => ({ status, atMs }))

const cases: [string, IncidentStep[], number][] = [
  ['an open incident lasts until now', steps(['INVESTIGATING', 10], ['MONITORING', 40]), 90],
  ['a resolved one until it was resolved', steps(['INVESTIGATING', 10], ['RESOLVED', 40]), 30],
  ['what is told afterwards does not lengthen it', steps(['IDENTIFIED', 10], ['RESOLVED', 40], ['RESOLVED', 60]), 30],
  [
    'one that was opened again lasts to its last end',
    steps(['INVESTIGATING', 10], ['RESOLVED', 20], ['MONITORING', 50], ['RESOLVED', 70]),
    60,
  ],
  [
    'one that was opened again and is open lasts until now',
    steps(['INVESTIGATING', 10], ['RESOLVED', 20], ['MONITORING', 50]),
    90,
  ],
  ['one that is told when it is over has no duration', steps(['RESOLVED', 10]), 0],
  ['one that begins in the future has none yet', steps(['INVESTIGATING', 500]), 0],
  ['one of which nothing is told has none', [], 0],
]

test('the duration of an incident follows its updates', () => {
  for (const [what, told, expected] of cases) assert.equal(troubleMs(told, 100), expected, what)
})

test('a duration is never negative, and time changes it only while the incident is open', () => {
  const step = fc.record({ status: fc.constantFrom(...INCIDENT_STATUSES), atMs: fc.nat(1000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.nat(1000), (told, nowMs) => {
      const sorted = told.toSorted((a, b) => a.atMs - b.atMs)
      const now = troubleMs(sorted, nowMs)
      assert.ok(now >= 0)
      if (sorted.at(-1)?.status === 'RESOLVED') assert.equal(troubleMs(sorted, nowMs + 1), now)
      else assert.ok(troubleMs(sorted, nowMs + 1) >= now)
    }),
  )
})
