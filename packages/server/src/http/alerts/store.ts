import type { PastRun } from '@vedette/core'
import type { AlertSettings, CheckAlert } from '@vedette/schema'
import type { Db } from '../../db/database.ts'
import type { TimeWindow } from '../instants.ts'
import type { Page } from '../page.ts'

/** Newest first. @param checkNo null: of all checks */
export async function listAlerts(
  db: Db,
  accountId: string,
  { fromMs, toMs, checkNo, limit, offset }: TimeWindow & Page & { checkNo: number | null },
): Promise<{ alerts: CheckAlert[]; total: number }> {
  const wanted = db
    .selectFrom('check_alerts as a')
    .where('a.account_id', '=', accountId)
    .where('a.created_at', '>=', new Date(fromMs))
    .where('a.created_at', '<', new Date(toMs))
    .$if(checkNo !== null, (q) => q.where('a.check_no', '=', checkNo))
  const { total } = await wanted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await wanted
    .innerJoin('checks as c', 'c.no', 'a.check_no')
    .leftJoin('locations as l', 'l.no', 'a.location_no')
    .selectAll('a')
    .select(['c.id as check_id', 'c.name', 'c.kind', 'l.slug'])
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return {
    total,
    alerts: rows.map((row) => ({
      id: String(row.id),
      name: row.name,
      checkId: row.check_id,
      alertType: row.alert_type,
      checkType: row.kind,
      runLocation: row.slug,
      responseTime: row.response_time_ms,
      error: row.error,
      statusCode: row.status_code === null ? null : String(row.status_code),
      created_at: row.created_at.toISOString(),
      startedAt: row.started_at.toISOString(),
    })),
  }
}

/** What happened to a heartbeat, as it is judged by it, in the order of time. */
export async function pastEvents(
  db: Db,
  checkNo: number,
  { fromMs, toMs, limit }: TimeWindow & { limit: number },
): Promise<PastRun[]> {
  const rows = await db
    .selectFrom('heartbeat_events')
    .select(['at', 'state'])
    .where('check_no', '=', checkNo)
    .where('at', '>=', new Date(fromMs))
    .where('at', '<', new Date(toMs))
    .orderBy('at')
    .limit(limit)
    .execute()
  return rows.map(({ at, state }) => ({ atMs: at.getTime(), verdicts: [state === 'FAILING' ? 'failed' : 'passed'] }))
}

export async function accountAlertSettings(db: Db, accountId: string): Promise<AlertSettings> {
  const { alert_settings } = await db
    .selectFrom('accounts')
    .select('alert_settings')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return alert_settings
}
