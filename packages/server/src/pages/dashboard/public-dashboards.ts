/** Dashboards as they are asked for: read when they must be, kept for a while, shown as they were while the database is away. */
import { timingSafeEqual } from 'node:crypto'
import { hashKey, visitOf } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import { isDatabaseAway, isTakingTooLong } from '../../db/database-away.ts'
import type { Log } from '../../log.ts'
import { type Admit, Copies, type Copy } from '../copies.ts'
import { keyOf, type PageAddress } from '../page-address.ts'
import { type Figures, figuresOf } from './figures.ts'
import { FiguresByCheck } from './figures-by-check.ts'
import { activeIncidents, checksAPage, type DashboardView, pagesFor, total } from './state.ts'
import * as store from './store.ts'

const COPIES = {
  lifeMs: 5000,
  patienceMs: 1500,
  pauseMs: 2000,
  keepMs: 24 * 3_600_000,
  most: 500,
  nowMs: () => performance.now(),
}
/** Figures of a day and a month: a minute more or less does not show. */
const FIGURES_LIFE_MS = 60_000
const MOST_FIGURES = 10_000

export interface PublicDashboards {
  /** The copy holds null where there is no such dashboard. */
  find(address: PageAddress, admit: Admit): Promise<Copy<store.PublicDashboard | null>>
  /** A page that does not exist, or no longer, is the last one. */
  view(dashboard: store.PublicDashboard, page: number, admit: Admit): Promise<Copy<DashboardView | null>>
  /** What opens the dashboard from now on for somebody who shows a key; null if it is none of its keys. */
  exchange(address: PageAddress, dashboard: store.PublicDashboard, rawKey: string): Promise<string | null>
}

export function publicDashboards(
  db: Db,
  { nowMs, retentionDays, log }: { nowMs: () => number; retentionDays: number; log: Log },
): PublicDashboards {
  const onTrouble = (page: string, error: unknown) => {
    if (isDatabaseAway(error) || isTakingTooLong(error)) log.warn('A dashboard could not be renewed', { page, error })
    else log.error('A dashboard could not be made', { page, error })
  }
  const dashboards = new Copies<store.PublicDashboard>({ ...COPIES, onTrouble })
  const views = new Copies<DashboardView>({ ...COPIES, onTrouble })
  const figures = new FiguresByCheck({ ...COPIES, lifeMs: FIGURES_LIFE_MS, most: MOST_FIGURES, onTrouble })

  const make = async (dashboard: store.PublicDashboard, wanted: number): Promise<DashboardView> => {
    const { id, accountId, settings } = dashboard
    const asOfMs = nowMs()
    const selection = { accountId, tags: settings.tags, needsAll: settings.useTagsAndOperator === true, nowMs: asOfMs }
    const counts = await store.countStates(db, selection)
    const pages = pagesFor(total(counts), settings)
    const page = Math.min(wanted, pages)
    const limit = checksAPage(settings)
    const [listed, incidents] = await Promise.all([
      store.listChecks(db, selection, {
        byState: settings.sortByStatus,
        byGroup: settings.showGroupNames,
        ...{ limit, offset: (page - 1) * limit },
      }),
      settings.enableIncidents ? store.incidentsOf(db, id, asOfMs) : [],
    ])
    const numbers = listed.map(({ no }) => no)
    const [sums, results] = await Promise.all([
      figures.of(listed, (missing) => figuresOf(db, missing, { retentionDays, nowMs: asOfMs })),
      settings.showCheckRunLinks ? store.newestResults(db, numbers) : new Map<number, string>(),
    ])
    return {
      dashboard,
      asOfMs,
      counts,
      checks: listed.map((check) => ({
        ...check,
        figures: sums.get(check.no) ?? NO_FIGURES,
        resultId: results.get(check.no) ?? null,
      })),
      incidents: activeIncidents(incidents, asOfMs),
      page,
      pages,
    }
  }

  return {
    find: (address, admit) =>
      dashboards.get(keyOf(address), async () => (await store.readDashboard(db, address)) ?? null, admit),

    // A change of the dashboard is another copy: only what is older than it is seen a while longer.
    async view(dashboard, page, admit) {
      const get = (number: number) =>
        views.get(`${dashboard.id} ${dashboard.version} ${number}`, () => make(dashboard, number), admit)
      const first = await get(1)
      if (page === 1 || first.value === null) return first
      // Pages that do not exist have no copies of their own: there are more numbers than copies.
      const last = Math.min(page, first.value.pages)
      return last === 1 ? first : get(last)
    },

    async exchange(address, dashboard, rawKey) {
      const { token, hash } = visitOf(rawKey)
      if (!(await store.exchangeKey(db, dashboard.id, hashKey(rawKey), hash))) return null
      // The copy may be older than the key.
      if (!opens(dashboard, token)) dashboards.forget(keyOf(address))
      return token
    },
  }
}

const NO_FIGURES: Figures = {
  ...{ hours: [], hourlyP95Ms: [], days: [], last24Hours: null, last7Days: null, last30Days: null },
  ...{ p95Ms: null, p99Ms: null },
}

/** Whether somebody sees the dashboard who brings this along, or nothing. */
export function opens({ settings, visitHashes }: store.PublicDashboard, token: string | undefined): boolean {
  if (!settings.isPrivate) return true
  if (token === undefined) return false
  const digest = hashKey(token)
  return visitHashes.some((hash) => hash.length === digest.length && timingSafeEqual(hash, digest))
}
