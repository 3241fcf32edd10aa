import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Analytics, AnalyticsRow, AnalyticsSeries } from '@vedette/schema'
import { linesOf, worstOf } from './vitals-course.ts'

const answer = (series: AnalyticsSeries[]): Analytics => ({
  checkId: '00000000-0000-4000-8000-000000000000',
  name: 'Shop',
  checkType: 'BROWSER',
  activated: true,
  muted: false,
  frequency: 1,
  from: '2026-03-02T08:00:00.000Z',
  to: '2026-03-02T09:10:00.000Z',
  tags: [],
  series,
  metadata: {},
  pagination: { page: 1, limit: 100 },
})

const row = (startedAt: string, pageUrl: string | null, LCP_p95: number | null): AnalyticsRow => ({
  startedAt: `2026-03-02T${startedAt}:00.000Z`,
  pageUrl,
  LCP_p95,
})

const seconds = (time: string) => Date.parse(`2026-03-02T${time}:00.000Z`) / 1000

test('a page has a line, oldest first, with a point for each interval in which it was measured', () => {
  const course = answer([
    {
      pageIndex: 0,
      data: [
        row('09:00', 'https://shop.test/', 2600),
        row('08:30', null, null),
        row('08:00', 'https://shop.test/', 900),
      ],
    },
  ])
  const whole = answer([{ pageIndex: 0, data: [{ pageUrl: 'https://shop.test/', LCP_p95: 2500 }] }])
  assert.deepEqual(linesOf({ course, whole }, 'LCP', 'p95'), [
    {
      key: '[0,null]',
      label: 'Page 1: shop.test/',
      points: [
        { at: seconds('08:15'), value: 900, score: 'GOOD' },
        // The interval that is not over yet ends now.
        { at: seconds('09:05'), value: 2600, score: 'NEEDS_IMPROVEMENT' },
      ],
      whole: { value: 2500, score: 'GOOD' },
    },
  ])
})

test('a location is called by its name, and the worst line is the one that is told', () => {
  const course = answer([
    { runLocation: 'eu-west-1', data: [] },
    { runLocation: 'us-east-1', data: [] },
    { runLocation: 'attic', data: [] },
  ])
  const whole = answer([
    { runLocation: 'us-east-1', data: [{ LCP_p95: 4001 }] },
    { runLocation: 'eu-west-1', data: [{ LCP_p95: 10 }] },
  ])
  const lines = linesOf({ course, whole }, 'LCP', 'p95')
  assert.deepEqual(
    lines.map(({ label, whole }) => [label, whole?.score]),
    [
      ['Ireland', 'GOOD'],
      ['N. Virginia', 'POOR'],
      ['attic', undefined],
    ],
  )
  assert.equal(worstOf(lines)?.label, 'N. Virginia')
  assert.equal(worstOf([]), undefined)
})
