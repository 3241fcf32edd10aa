import { patienceWith, type SelfLook, type SelfWatch, UNABLE } from '@vedette/core'
import { type CheckKind, KINDS_WITH_RUNTIME, type RuntimeId } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DeadMan } from '../db/dead-man.ts'
import { cannotRun, type LocationView } from '../scheduling/location-view.ts'

const NAMED = 3
const RUNS_OF_MINUTES = 5
/** Runs are recorded, and rolled up, somewhat later than they were due. */
const ROLL_UP_AFTER_HOURS = 2

/** Looks at everything that the rules of `core` want to know, but for the clock of this server. */
export async function lookAround(
  db: Db,
  view: LocationView,
  sinceMs: number,
  lostAfterMs: number,
): Promise<Omit<SelfLook, 'atMs'>> {
  const [idle, unable, untried, failingChannels, queues, clocks, runs] = await Promise.all([
    findIdle(db, view, sinceMs),
    findUnable(db, view),
    findUntried(db),
    findFailingChannels(db),
    measureQueues(db),
    readClocks(db, lostAfterMs),
    countRuns(db),
  ])
  return { idle, unable, untried, failingChannels, queues, clocks, runs }
}

/**
 * Active checks that were not judged for longer than their patience, counted from when they could be: they were
 * made, changed or activated, their maintenance ended, or somebody began to look. Those that no runner can execute are
 * told of apart from them: the monitor would run them if it could.
 */
async function findIdle(db: Db, view: LocationView, sinceMs: number): Promise<SelfLook['idle']> {
  const { rows } = await sql<PlacedRow & { for_ms: number; interval_ms: number; retries_ms: number }>`
    select * from (
      select ${placed},
        (extract(epoch from now() - greatest(s.judged_until, case when s.has_errors then s.updated_at end, c.updated_at, c.active_since,
          case when c.paused_until <= now() then c.paused_until end, to_timestamp(${sinceMs} / 1000.0))) * 1000)::float8 as for_ms,
        (case when (c.effective_settings ->> 'frequency')::float8 = 0 then (c.effective_settings ->> 'frequencyOffset')::float8
          else (c.effective_settings ->> 'frequency')::float8 * 60 end * 1000)::float8 as interval_ms,
        (case when jsonb_typeof(c.effective_settings -> 'retryStrategy') = 'object'
          then coalesce((c.effective_settings #>> '{retryStrategy,maxDurationSeconds}')::float8, 600) else 0 end * 1000)::float8 as retries_ms
      from checks c join check_states s on s.check_no = c.no
      where c.effective_activated and c.kind <> 'HEARTBEAT' and (c.paused_until is null or not (c.paused_from <= now() and c.paused_until > now()))
    ) as checks where for_ms > interval_ms order by for_ms desc`.execute(db)
  const idle = rows.filter(
    ({ for_ms, interval_ms, retries_ms, ...check }) =>
      for_ms > patienceWith({ intervalMs: interval_ms, retriesMs: retries_ms }) && unableWhy(view, check) === null,
  )
  return { count: idle.length, longest: idle.slice(0, NAMED).map(({ name, for_ms: forMs }) => ({ name, forMs })) }
}

interface PlacedRow {
  name: string
  kind: CheckKind
  account_id: string
  locations: string[]
  private_locations: string[]
  runtime_id: RuntimeId | null
}

const placed = sql`c.name, c.kind, c.account_id, c.effective_settings -> 'locations' as locations,
  c.effective_settings -> 'privateLocations' as private_locations, c.effective_settings ->> 'runtimeId' as runtime_id`

function unableWhy(view: LocationView, check: PlacedRow): string | null {
  const { kind, account_id: accountId, locations, private_locations: privateLocations, runtime_id: runtimeId } = check
  return cannotRun(view, { kind, accountId, activated: true, settings: { locations, privateLocations, runtimeId } })
}

/** Only scripts ask for more than every runner has. */
async function findUnable(db: Db, view: LocationView): Promise<SelfLook['unable']> {
  const { rows } = await sql<PlacedRow>`
    select ${placed} from checks c where c.effective_activated and c.kind = any(${KINDS_WITH_RUNTIME}::text[])
    order by c.no`.execute(db)
  const unable = rows.flatMap((check) => {
    const reason = unableWhy(view, check)
    return reason === null ? [] : [{ name: check.name, reason }]
  })
  return { count: unable.length, some: unable.slice(0, NAMED) }
}

/** Those behind an earlier one of the same check and channel wait for it, and those of a channel that fails for the channel. */
async function findUntried(db: Db): Promise<SelfLook['untried']> {
  const { rows } = await sql<{ count: number; oldest_ms: number | null }>`
    select count(*) as count, (extract(epoch from now() - min(n.created_at)) * 1000)::float8 as oldest_ms
    from notifications n where n.status = 'IN_PROGRESS' and n.tries = 0 and (n.leased_until is null or n.leased_until <= now())
      and not exists (
        select from notifications other
        where other.status = 'IN_PROGRESS' and other.channel_id = n.channel_id and other.tries > 0)`.execute(db)
  return { count: rows[0]?.count ?? 0, oldestMs: rows[0]?.oldest_ms ?? null }
}

/** What it is told of itself does not count: a channel that fails would have trouble without end. */
async function findFailingChannels(db: Db): Promise<SelfLook['failingChannels']> {
  const { rows } = await sql<{ id: number; type: string; waiting: number; oldest_ms: number }>`
    select channel_id as id, min(channel_type) as type, count(*) as waiting,
      (extract(epoch from now() - min(created_at)) * 1000)::float8 as oldest_ms
    from notifications
    where status = 'IN_PROGRESS' and check_id is distinct from (select check_id from self_watch)
    group by channel_id having max(tries) > 0 order by channel_id`.execute(db)
  return rows.map(({ oldest_ms: oldestMs, ...row }) => ({ ...row, oldestMs }))
}

async function measureQueues(db: Db): Promise<SelfLook['queues']> {
  const { rows } = await sql<{ overdue: number; waiting: number; mails: number; hours: number }>`
    select
      (select count(*) from schedule where due_at < now() and lease_id is null) as overdue,
      (select count(*) from notifications where status = 'IN_PROGRESS') as waiting,
      (select count(*) from status_page_mails where due_at <= now() or tries > 0)
        + (select count(*) from status_page_news n join status_page_subscriptions s on s.page_id = n.page_id and s.status = 'VERIFIED'
          where n.due_at <= now() and (n.reader_id is null or s.id > n.reader_id)) as mails,
      (select greatest(0, floor(extract(epoch from now() - rolled_up_to) / 3600) - ${ROLL_UP_AFTER_HOURS})::int from roll_up_progress) as hours`.execute(
    db,
  )
  const [found] = rows
  return {
    'overdue runs': found?.overdue ?? 0,
    'waiting notifications': found?.waiting ?? 0,
    'mails to subscribers': found?.mails ?? 0,
    'hours to roll up': found?.hours ?? 0,
  }
}

async function readClocks(db: Db, lostAfterMs: number): Promise<{ whose: string; aheadMs: number }[]> {
  const { rows } = await sql<{ name: string; ahead: number }>`
    select name, clock_ahead_ms as ahead from runners
    where clock_ahead_ms is not null and last_seen_at > now() - ${lostAfterMs} * interval '1 millisecond' order by id`.execute(
    db,
  )
  return rows.map(({ name, ahead }) => ({ whose: `runner “${name}”`, aheadMs: ahead }))
}

async function countRuns(db: Db): Promise<SelfLook['runs']> {
  const { rows } = await sql<{ done: number; missed: number }>`
    select
      (select coalesce(sum(done), 0)::int from coverage where minute >= now() - ${RUNS_OF_MINUTES} * interval '1 minute') as done,
      (select coalesce(sum(slots), 0)::int from missed_runs where recorded_at >= now() - ${RUNS_OF_MINUTES} * interval '1 minute'
        and not starts_with(reason, ${UNABLE})) as missed`.execute(db)
  return rows[0] ?? { done: 0, missed: 0 }
}

export interface StoredSelfWatch {
  checkId: string | null
  /** Null: nobody has ever looked. */
  watch: SelfWatch | null
  deadMan: DeadMan
}

export async function readSelfWatch(db: Db): Promise<StoredSelfWatch> {
  const row = await db.selectFrom('self_watch').select(['check_id', 'watch', 'dead_man']).executeTakeFirst()
  return { checkId: row?.check_id ?? null, watch: row?.watch ?? null, deadMan: row?.dead_man ?? {} }
}

export async function saveWatch(db: Db, watch: SelfWatch): Promise<void> {
  const value = JSON.stringify(watch)
  await db
    .insertInto('self_watch')
    .values({ watch: value })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ watch: value }))
    .execute()
}

export async function saveDeadMan(db: Db, deadMan: DeadMan): Promise<void> {
  await db
    .updateTable('self_watch')
    .set({ dead_man: JSON.stringify(deadMan) })
    .execute()
}

/** The number of the check that tells of the monitor, if it is still there. */
export async function findSelfCheck(db: Db, id: string): Promise<{ no: number; accountId: string } | undefined> {
  const row = await db.selectFrom('checks').select(['no', 'account_id']).where('id', '=', id).executeTakeFirst()
  return row && { no: row.no, accountId: row.account_id }
}

/** The founding account, once it watches something and there is somebody to tell; held until the transaction ends. */
export async function accountInUse(tx: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select a.id from accounts a
    where a.is_first and exists (select from checks c where c.account_id = a.id)
      and exists (select from alert_channels n where n.account_id = a.id)
    for update of a`.execute(tx)
  return rows[0]?.id
}

export async function noteSelfCheck(tx: Db, checkId: string): Promise<void> {
  await tx.updateTable('self_watch').set({ check_id: checkId }).execute()
}

/** Nobody has said who is to be told: then all are. */
export async function tellAllChannels(db: Db, { no, accountId }: { no: number; accountId: string }): Promise<void> {
  await sql`
    insert into subscriptions (channel_id, check_no, activated)
    select id, ${no}, true from alert_channels
    where account_id = ${accountId} and not exists (select from subscriptions where check_no = ${no})
    on conflict do nothing`.execute(db)
}
