import { wholeDaysUntil } from '@vedette/core'
import type { CheckStatus } from '@vedette/schema'
import { presentAcknowledgement } from '../../alerting/acknowledgement-store.ts'
import { certificateHost } from '../../checks/certificate-host.ts'
import type { CheckSettings } from '../../checks/check.ts'
import type { Db } from '../../db/database.ts'
import { cannotRun, type LocationView } from '../../scheduling/location-view.ts'

/** In the order of their making; all checks of an account or one. One that has not run yet has no trouble so far. */
export async function listStatuses(
  db: Db,
  view: LocationView,
  accountId: string,
  checkId: string | null,
): Promise<CheckStatus[]> {
  const rows = await db
    .selectFrom('check_states as s')
    .innerJoin('checks as c', 'c.no', 's.check_no')
    .leftJoin('check_certificates as k', 'k.check_no', 's.check_no')
    .leftJoin('acknowledgements as a', (join) =>
      join.onRef('a.check_no', '=', 's.check_no').onRef('a.since', '=', 's.since'),
    )
    .leftJoin('locations as l', 'l.no', 's.last_location_no')
    .select(['c.name', 'c.id', 's.has_failures', 's.has_errors', 's.is_degraded', 's.longest_run', 's.shortest_run'])
    .select(['l.slug', 's.last_check_run_id', 's.created_at', 's.updated_at'])
    .select(['s.state', 's.since', 'a.by_whom', 'a.at', 'a.note'])
    .select(['c.effective_settings', 'c.kind', 'c.effective_activated', 'k.host', 'k.expires_at'])
    .where('c.account_id', '=', accountId)
    .$if(checkId !== null, (q) => q.where('c.id', '=', checkId ?? ''))
    .orderBy('c.created_at')
    .orderBy('c.no')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    checkId: row.id,
    hasFailures: row.has_failures,
    hasErrors: row.has_errors,
    isDegraded: row.is_degraded,
    longestRun: row.longest_run === null ? null : Math.round(row.longest_run),
    shortestRun: row.shortest_run === null ? null : Math.round(row.shortest_run),
    lastRunLocation: row.slug,
    lastCheckRunId: row.last_check_run_id === null ? null : String(row.last_check_run_id),
    sslDaysRemaining: daysRemaining(row),
    acknowledgement: presentAcknowledgement(row),
    cannotRun: cannotRun(view, {
      kind: row.kind,
      accountId,
      activated: row.effective_activated,
      // As `inForce` has put them together.
      settings: row.effective_settings as CheckSettings,
    }),
    created_at: row.created_at.toISOString(),
    updated_at: (row.updated_at ?? row.created_at).toISOString(),
  }))
}

/** What was seen before the address named another host is no longer of interest. */
function daysRemaining(row: {
  effective_settings: unknown
  host: string | null
  expires_at: Date | null
}): number | null {
  if (row.expires_at === null || row.host !== certificateHost(row.effective_settings)) return null
  return wholeDaysUntil(row.expires_at.getTime(), Date.now())
}
