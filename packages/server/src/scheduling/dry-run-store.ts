import type { RunnableKind, RunReport, RuntimeId } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import { groupHasScripts } from './extras-store.ts'

export interface NewDryRun {
  id: string
  accountId: string
  locationNo: number
  kind: RunnableKind
  checkId: string
  groupId: number | null
  inspects: number | null
  sealed: string
  livesMs: number
  /** Null for kinds that need none. */
  runtimeId: RuntimeId | null
}

export async function addDryRun(tx: Db, run: NewDryRun): Promise<void> {
  await tx
    .insertInto('dry_runs')
    .values({
      id: run.id,
      account_id: run.accountId,
      location_no: run.locationNo,
      kind: run.kind,
      check_id: run.checkId,
      group_id: run.groupId,
      inspects: run.inspects,
      sealed: run.sealed,
      runtime_id: run.runtimeId,
      expires_at: sql<Date>`now() + ${run.livesMs} * interval '1 millisecond'`,
    })
    .execute()
}

export interface LeasedDryRun {
  id: string
  leaseId: string
  accountId: string
  locationNo: number
  kind: RunnableKind
  checkId: string
  groupId: number | null
  groupHasScripts: boolean
  sealed: string
  nowMs: number
  runtimeId: RuntimeId | null
}

/** Those that nobody has in hand, or only a runner that was lost: it need not be noticed by anybody else first. */
export async function leaseDryRuns(
  tx: Db,
  runnerId: number,
  locations: readonly number[],
  words: readonly string[],
  capacity: number,
  lostAfterMs: number,
): Promise<LeasedDryRun[]> {
  const { rows } = await sql<{
    id: string
    lease_id: string
    account_id: string
    location_no: number
    kind: RunnableKind
    check_id: string
    group_id: number | null
    group_has_scripts: boolean
    sealed: string
    now_ms: number
    runtime_id: RuntimeId | null
  }>`
    /* prepared: lease-dry-runs */
    with free as (
      select d.id, ${groupHasScripts} as group_has_scripts
      from dry_runs d left join check_groups g on g.id = d.group_id
      where d.report is null and d.expires_at > now()
        and d.location_no = any(${locations}::int[]) and d.kind || coalesce('/' || d.runtime_id, '') = any(${words}::text[])
        and (d.lease_id is null or not exists (select from runners r where r.id = d.runner_id
          and r.last_seen_at > now() - ${lostAfterMs} * interval '1 millisecond'))
      order by d.inspects is not null, d.created_at limit ${capacity} for update of d skip locked)
    update dry_runs d set lease_id = gen_random_uuid(), runner_id = ${runnerId}, leased_at = now()
    from free where d.id = free.id
    returning d.id, d.lease_id, d.account_id, d.location_no, d.kind, d.check_id, d.group_id, free.group_has_scripts, d.sealed, d.runtime_id,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    leaseId: row.lease_id,
    accountId: row.account_id,
    locationNo: row.location_no,
    kind: row.kind,
    checkId: row.check_id,
    groupId: row.group_id,
    groupHasScripts: row.group_has_scripts,
    sealed: row.sealed,
    nowMs: row.now_ms,
    runtimeId: row.runtime_id,
  }))
}

/** Takes back what a live runner does not know that it holds. Answers the locations. */
export async function freeUnknownDryRuns(
  db: Db,
  runnerId: number,
  holding: readonly string[],
  graceMs: number,
): Promise<number[]> {
  const { rows } = await sql<{ location_no: number }>`
    update dry_runs set lease_id = null, runner_id = null, leased_at = null
    where runner_id = ${runnerId} and report is null
      and leased_at < now() - ${graceMs} * interval '1 millisecond' and lease_id <> all(${plainArray(holding)}::uuid[])
    returning location_no`.execute(db)
  return rows.map((row) => row.location_no)
}

/** Undefined when the runner does not hold it any more, or it is an inspection. */
export async function accountOfHeld(db: Db, runnerId: number, leaseId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('dry_runs')
    .select('account_id')
    .where('lease_id', '=', leaseId)
    .where('runner_id', '=', runnerId)
    .where('inspects', 'is', null)
    .executeTakeFirst()
  return row?.account_id
}

/** Answers the id of the run; undefined when the runner does not hold it any more. */
export async function keepReport(
  tx: Db,
  runnerId: number,
  leaseId: string,
  report: RunReport,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('dry_runs')
    .set({ report: JSON.stringify(report) })
    .where('lease_id', '=', leaseId)
    .where('runner_id', '=', runnerId)
    .where('report', 'is', null)
    .where('inspects', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export interface DryRunState {
  isTaken: boolean
  report: RunReport | null
}

/** Undefined once it is gone. */
export async function readDryRun(db: Db, id: string): Promise<DryRunState | undefined> {
  const row = await db.selectFrom('dry_runs').select(['lease_id', 'report']).where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  // Only `keepReport` writes such texts, of reports that were validated.
  const report = row.report === null ? null : (JSON.parse(row.report) as RunReport)
  return { isTaken: row.lease_id !== null, report }
}

export async function removeDryRun(db: Db, id: string): Promise<void> {
  await db.deleteFrom('dry_runs').where('id', '=', id).execute()
}

/** Whoever waited for them is gone: they remove theirs themselves. */
export async function removeExpiredDryRuns(db: Db): Promise<void> {
  await sql`delete from dry_runs where expires_at < now()`.execute(db)
}
