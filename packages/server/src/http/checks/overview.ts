/** The list of checks as screens show it: state, newest runs, next run. */
import type { CheckOverview } from '@vedette/schema'
import { presentAcknowledgement } from '../../alerting/acknowledgement-store.ts'
import type { Db } from '../../db/database.ts'
import type { ResultMark } from '../../results/result-store.ts'
import { postgresResults } from '../../results/store.ts'
import { cannotRun, type LocationView } from '../../scheduling/location-view.ts'
import type { Page } from '../page.ts'
import { listOverviewRows, type OverviewFilter } from './overview-store.ts'

export interface OverviewQuery extends OverviewFilter {
  runs?: number | undefined
}

export async function overviewOf(
  db: Db,
  locations: LocationView,
  accountId: string,
  query: OverviewQuery,
  page: Page,
): Promise<{ overviews: CheckOverview[]; total: number }> {
  const { rows, total } = await listOverviewRows(db, accountId, query, page)
  const runs = query.runs ?? 30
  const marks =
    runs === 0
      ? []
      : await postgresResults.latest(
          db,
          rows.map((row) => row.no),
          runs,
        )
  const overviews = rows.map((row): CheckOverview => {
    const own = marks.filter((mark) => mark.checkNo === row.no).reverse()
    return {
      id: row.id,
      name: row.name,
      checkType: row.kind,
      target: row.target,
      activated: row.activated,
      muted: row.muted,
      tags: row.tags,
      frequency: row.frequency,
      frequencyOffset: row.frequencyOffset,
      state: row.state,
      hasErrors: row.hasErrors,
      acknowledgement: presentAcknowledgement({
        state: row.alertState,
        since: row.since,
        by_whom: row.acknowledgedBy,
        at: row.acknowledgedAt,
        note: row.acknowledgedNote,
      }),
      since: row.state === 'unknown' ? null : row.since.toISOString(),
      lastRunAt: lastRunOf(own.at(-1), row.lastPingAt),
      nextRunAt: row.nextRunAt?.toISOString() ?? null,
      runs: own.map((mark) => ({
        id: mark.id,
        verdict: mark.verdict,
        startedAt: new Date(mark.startedAtMs).toISOString(),
        responseTime: Math.round(mark.responseTimeMs),
        location: locations.get(mark.locationNo)?.slug ?? '',
      })),
      cannotRun: cannotRun(locations, { ...row, accountId, settings: row }),
    }
  })
  return { overviews, total }
}

/** The last ping is the last run of a heartbeat. */
function lastRunOf(mark: ResultMark | undefined, lastPingAt: Date | null): string | null {
  if (mark !== undefined) return new Date(mark.startedAtMs).toISOString()
  return lastPingAt?.toISOString() ?? null
}
