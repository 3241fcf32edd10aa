/** How long the queues of private locations were: a sample a minute. */
import type { LocationMetrics } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export const METRICS_KEPT_MS = 15 * 86_400_000

/** Notes what waits at every private location now, and forgets what is too old to be asked for. */
export async function sampleLocations(db: Db): Promise<void> {
  await sql`
    insert into location_samples (location_no, at, queue_size, oldest_seconds)
    select l.no, date_trunc('minute', now()), count(s.id), coalesce(extract(epoch from now() - min(s.due_at)), 0)
    from locations l left join schedule s on s.location_no = l.no and s.lease_id is null and s.due_at <= now()
    where l.account_id is not null group by l.no
    on conflict (location_no, at) do nothing`.execute(db)
  await sql`
    delete from location_samples where at < now() - ${METRICS_KEPT_MS} * interval '1 millisecond'`.execute(db)
}

/** Oldest first, the end not included. */
export async function samplesOf(db: Db, locationNo: number, fromMs: number, toMs: number): Promise<LocationMetrics> {
  const rows = await db
    .selectFrom('location_samples')
    .select(['at', 'queue_size', 'oldest_seconds'])
    .where('location_no', '=', locationNo)
    .where('at', '>=', new Date(fromMs))
    .where('at', '<', new Date(toMs))
    .orderBy('at')
    .execute()
  return {
    timestamps: rows.map((row) => row.at.toISOString()),
    queueSize: rows.map((row) => row.queue_size),
    oldestScheduledCheckRun: rows.map((row) => row.oldest_seconds),
  }
}
