import type { Isolation, Operations, ScriptLoad } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { LATENESS_BOUNDS, latenessQuantile } from '../../results/coverage.ts'

const WINDOW_MINUTES = 15

/** The whole installation’s figures; checks are named only where they belong to the account. */
export async function loadOperations(
  db: Db,
  accountId: string,
  lostAfterMs: number,
): Promise<Omit<Operations, 'selfWatch'>> {
  const since = new Date(Date.now() - WINDOW_MINUTES * 60_000)
  const [counted, missed, queue, waiting, failed, runners, missedRuns] = await Promise.all([
    db.selectFrom('coverage').select(['done', 'in_error', 'lateness', 'minute']).where('minute', '>=', since).execute(),
    db
      .selectFrom('missed_runs')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('slots'), sql<number>`0`).as('slots'))
      .where('recorded_at', '>=', since)
      .executeTakeFirstOrThrow(),
    sql<{ leased: number; overdue: number; oldest_ms: number | null }>`
      select count(*) filter (where lease_id is not null) as leased, count(*) filter (where lease_id is null) as overdue,
        (extract(epoch from now() - min(due_at) filter (where lease_id is null)) * 1000)::float8 as oldest_ms
      from schedule where due_at < now() and location_no = any(array(select no from locations))`.execute(db),
    sql<{ waiting: number; oldest_ms: number | null }>`
      select count(*) as waiting, (extract(epoch from now() - min(created_at)) * 1000)::float8 as oldest_ms
      from notifications where status = 'IN_PROGRESS'`.execute(db),
    sql<{ failed: number }>`
      select count(*) as failed from notifications
      where account_id = ${accountId} and status = 'FAILURE' and created_at > now() - interval '1 hour'`.execute(db),
    sql<{
      id: number
      name: string
      built_in: boolean
      slug: string | null
      last_seen_at: Date
      alive: boolean
      trouble: string | null
      controls: string[]
      quarantined_at: Date | null
      isolation: Isolation | null
      script_load: ScriptLoad | null
    }>`
      select r.id, r.name, r.built_in, l.slug, r.last_seen_at, r.trouble, r.controls, r.quarantined_at, r.isolation, r.script_load,
        r.last_seen_at > now() - ${lostAfterMs} * interval '1 millisecond' as alive
      from runners r left join locations l on l.no = r.location_no
      where (l.account_id is null or l.account_id = ${accountId}) and r.last_seen_at > now() - interval '1 hour'
      order by alive desc, r.last_seen_at desc limit 50`.execute(db),
    db
      .selectFrom('missed_runs as m')
      .innerJoin('checks as c', 'c.no', 'm.check_no')
      .leftJoin('locations as l', 'l.no', 'm.location_no')
      .select(['c.id', 'c.name', 'l.slug', 'm.slot_at', 'm.slots', 'm.reason'])
      .where('c.account_id', '=', accountId)
      .orderBy('m.recorded_at', 'desc')
      .limit(50)
      .execute(),
  ])
  const done = counted.reduce((sum, row) => sum + row.done, 0)
  const missedSlots = Number(missed.slots)
  const lateness = LATENESS_BOUNDS.map((_, index) => counted.reduce((sum, row) => sum + (row.lateness[index] ?? 0), 0))
  lateness.push(counted.reduce((sum, row) => sum + (row.lateness[LATENESS_BOUNDS.length] ?? 0), 0))
  const firstMinute = Math.min(...counted.map((row) => row.minute.getTime()))
  const seconds = counted.length === 0 ? 1 : Math.max(1, (Date.now() - Math.max(firstMinute, since.getTime())) / 1000)
  return {
    windowMinutes: WINDOW_MINUTES,
    lateness: { p50Ms: latenessQuantile(lateness, 0.5), p99Ms: latenessQuantile(lateness, 0.99) },
    coverage: { done, missed: missedSlots, ratio: done + missedSlots === 0 ? null : done / (done + missedSlots) },
    runs: {
      perSecond: done / seconds,
      inError: counted.reduce((sum, row) => sum + row.in_error, 0),
      leased: queue.rows[0]?.leased ?? 0,
      overdue: queue.rows[0]?.overdue ?? 0,
      oldestOverdueMs: queue.rows[0]?.oldest_ms ?? null,
    },
    notifications: {
      waiting: waiting.rows[0]?.waiting ?? 0,
      oldestWaitingMs: waiting.rows[0]?.oldest_ms ?? null,
      failedLastHour: failed.rows[0]?.failed ?? 0,
    },
    runners: runners.rows.map((row) => ({
      id: row.id,
      name: row.name,
      builtIn: row.built_in,
      locations: row.slug === null ? [] : [row.slug],
      lastSeenAt: row.last_seen_at.toISOString(),
      alive: row.alive,
      trouble: row.trouble,
      controls: row.controls,
      quarantinedSince: row.quarantined_at?.toISOString() ?? null,
      isolation: row.isolation,
      scriptLoad: row.script_load,
    })),
    missed: missedRuns.map((row) => ({
      checkId: row.id,
      name: row.name,
      location: row.slug ?? '',
      slotAt: row.slot_at.toISOString(),
      count: row.slots,
      reason: row.reason,
    })),
  }
}
