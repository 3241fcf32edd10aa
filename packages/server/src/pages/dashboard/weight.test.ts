import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardSettings } from '@vedette/schema'
import { Value } from 'typebox/value'
import { dashboardDocument } from './document.ts'
import { DAYS, HOURS } from './figures.ts'
import type { DashboardView, ShownCheck } from './state.ts'

const NOW = Date.UTC(2026, 5, 1, 12)

/** Every hour and day is unlike the one before: as many bars as there can be. */
function flapping(no: number): ShownCheck {
  const shares = [1, 0.97, 0.5]
  return {
    no,
    id: `0190d3a4-6f3e-7c1a-9d2b-${String(no).padStart(12, '0')}`,
    name: `A check with a name as long as most ${no}`,
    kind: 'API',
    state: 'failing',
    sinceMs: NOW - 3_600_000,
    groupName: 'Alpha shops',
    tags: ['shop', 'eu'],
    resultId: `0190d3a4-6f3e-7c1a-9d2b-${String(no).padStart(12, '1')}`,
    figures: {
      hours: Array.from({ length: HOURS }, (_, hour) => shares[hour % 3] ?? null),
      hourlyP95Ms: Array.from({ length: HOURS }, (_, hour) => 100 + ((hour * 7919) % 900)),
      days: Array.from({ length: DAYS }, (_, day) => shares[day % 3] ?? null),
      ...{ last24Hours: 0.8233, last7Days: 0.8233, last30Days: 0.8233, p95Ms: 991, p99Ms: 1234 },
    },
  }
}

test('a dashboard of thirty checks that are expanded and flap all the time weighs less than 100 kB', (t) => {
  const settings = Value.Parse(
    DashboardSettings,
    Value.Default(DashboardSettings, { header: 'Shop', paginate: false, expandChecks: true, showCheckRunLinks: true }),
  )
  const view: DashboardView = {
    dashboard: {
      ...{ id: 1, accountId: 'a', dashboardId: 'd', version: '1', url: 'shop', customDomain: null, visitHashes: [] },
      settings,
    },
    asOfMs: NOW,
    counts: new Map([['failing', 30]]),
    checks: Array.from({ length: 30 }, (_, index) => flapping(index + 1)),
    ...{ incidents: [], page: 1, pages: 1 },
  }
  const { text } = dashboardDocument(view, {
    ...{ base: '/dashboard/shop', canonical: 'https://vedette.test/dashboard/shop', oldMs: null, stays: false },
    linkTo: ({ id, resultId }) =>
      `https://vedette.test/accounts/0190d3a4-6f3e-7c1a-9d2b-000000000000/checks/${id}/results/${resultId}`,
  })
  const bytes = Buffer.byteLength(text)
  t.diagnostic(`${bytes} bytes`)
  assert.ok(bytes < 100_000, `${bytes} bytes`)
})
