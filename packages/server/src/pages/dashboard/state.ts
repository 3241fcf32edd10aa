/** What is to be seen on a dashboard, worked out from what was read. Times are handed in. */
import type { DashboardSettings } from '@vedette/schema'
import type { CheckState } from './check-state.ts'
import type { Figures } from './figures.ts'
import type { ListedCheck, PublicDashboard, PublicIncident } from './store.ts'

export interface ShownCheck extends ListedCheck {
  figures: Figures
  /** The newest result, where a link leads to it. */
  resultId: string | null
}

export interface DashboardView {
  dashboard: PublicDashboard
  asOfMs: number
  counts: ReadonlyMap<CheckState, number>
  checks: readonly ShownCheck[]
  incidents: readonly PublicIncident[]
  /** From 1. */
  page: number
  pages: number
}

/** All on one page is more than a page can hold, once there are hundreds. */
const UNPAGED_CHECKS = 30
const USUAL_CHECKS = 15

export function checksAPage({ paginate, checksPerPage }: DashboardSettings): number {
  return paginate ? (checksPerPage ?? USUAL_CHECKS) : UNPAGED_CHECKS
}

/** At least one, even if it is empty. */
export function pagesFor(checks: number, settings: DashboardSettings): number {
  return Math.max(1, Math.ceil(checks / checksAPage(settings)))
}

export function total(counts: ReadonlyMap<CheckState, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

/** Incidents that are active: begun, not ended, and not resolved by the last that was told of them. */
export function activeIncidents(incidents: readonly PublicIncident[], nowMs: number): PublicIncident[] {
  return incidents.filter(
    ({ startsAtMs, endsAtMs, updates }) =>
      startsAtMs <= nowMs && (endsAtMs === null ? updates[0]?.status !== 'RESOLVED' : endsAtMs > nowMs),
  )
}

/** How a page is looked at. */
export interface Look {
  page: number
  /** For how long it has been shown already, before it was renewed. */
  shownSeconds: number
  /** It does not turn to the next page. */
  stays: boolean
}

export interface Renewal {
  afterSeconds: number
  look: Look
}

/** When a page that is looked at renews itself, and as what: the same again, or the next one, the first after the last. */
export function renewalOf(look: Look, pages: number, settings: DashboardSettings): Renewal {
  const { refreshRate, paginate, paginationRate } = settings
  if (!paginate || pages === 1 || look.stays) return { afterSeconds: refreshRate, look: { ...look, shownSeconds: 0 } }
  const left = Math.max(paginationRate - look.shownSeconds, 1)
  if (refreshRate < left)
    return { afterSeconds: refreshRate, look: { ...look, shownSeconds: look.shownSeconds + refreshRate } }
  return { afterSeconds: left, look: { page: (look.page % pages) + 1, shownSeconds: 0, stays: false } }
}
