import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResponseTimePoint, Verdict } from '@vedette/schema'
import { figuresByLocation, figuresOf } from './figures.ts'

const aPoint = (responseTime: number, verdict: Verdict = 'passed', location = 'eu-central-1'): ResponseTimePoint => ({
  at: '2026-01-10T08:00:00.000Z',
  id: '00000000-0000-4000-8000-000000000000',
  location,
  verdict,
  responseTime,
  phases: null,
})

test('a run without an answer counts, but says nothing about speed', () => {
  const figures = figuresOf('', [aPoint(100), aPoint(300, 'degraded'), aPoint(30_000, 'failed'), aPoint(1, 'error')])
  assert.deepEqual(figures.verdicts, { passed: 1, degraded: 1, failed: 1, error: 1 })
  assert.equal(figures.runs, 4)
  assert.equal(figures.medianMs, 100)
  assert.equal(figures.slowestMs, 300)
})

test('the 95th percentile is a time that was measured', () => {
  const times = Array.from({ length: 100 }, (_, index) => aPoint(index + 1))
  assert.equal(figuresOf('', times).p95Ms, 95)
  assert.equal(figuresOf('', []).p95Ms, null)
})

test('locations are told apart', () => {
  const figures = figuresByLocation([aPoint(1, 'passed', 'us-east-1'), aPoint(2), aPoint(3)])
  assert.deepEqual(
    figures.map(({ location, runs }) => [location, runs]),
    [
      ['eu-central-1', 2],
      ['us-east-1', 1],
    ],
  )
})
