/** When which certificate is to be looked at next. */
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

/** True when the host is another one than before. */
export async function watchHost(tx: Db, checkNo: number, host: string): Promise<boolean> {
  const { rows } = await sql`
    insert into certificate_inspections as known (check_no, host) values (${checkNo}, ${host})
    on conflict (check_no) do update set host = excluded.host, due_at = excluded.due_at, tries = 0
    where known.host <> excluded.host
    returning check_no`.execute(tx)
  return rows.length > 0
}

export async function unwatch(tx: Db, checkNo: number): Promise<void> {
  await tx.deleteFrom('certificate_inspections').where('check_no', '=', checkNo).execute()
}

export interface DueInspection {
  checkNo: number
  host: string
  tries: number
  checkId: string
  checkName: string
  accountId: string
  locations: string[]
  privateLocations: string[]
}

/** Locks those that are due and that nobody else is at work on, the longest due first. */
export async function lockDueInspections(tx: Db, limit: number): Promise<DueInspection[]> {
  const { rows } = await sql<{
    check_no: number
    host: string
    tries: number
    id: string
    name: string
    account_id: string
    locations: string[]
    private_locations: string[]
  }>`
    select i.check_no, i.host, i.tries, c.id, c.name, c.account_id, c.effective_settings->'locations' as locations,
      c.effective_settings->'privateLocations' as private_locations
    from certificate_inspections i join checks c on c.no = i.check_no
    where i.due_at <= now() order by i.due_at limit ${limit}
    for update of i skip locked`.execute(tx)
  return rows.map((row) => ({
    checkNo: row.check_no,
    host: row.host,
    tries: row.tries,
    checkId: row.id,
    checkName: row.name,
    accountId: row.account_id,
    locations: row.locations,
    privateLocations: row.private_locations,
  }))
}

/** Each is due again after this long, unless its end is recorded before. */
export async function noteStarted(tx: Db, checkNos: readonly number[], dueInMs: number): Promise<void> {
  await sql`
    update certificate_inspections set due_at = now() + ${dueInMs} * interval '1 millisecond', tries = tries + 1
    where check_no = any(${plainArray(checkNos)}::int[])`.execute(tx)
}

export async function putOff(tx: Db, checkNos: readonly number[], dueInMs: number): Promise<void> {
  await sql`
    update certificate_inspections set due_at = now() + ${dueInMs} * interval '1 millisecond'
    where check_no = any(${plainArray(checkNos)}::int[])`.execute(tx)
}

/** What is under way for these checks is not awaited any more. Answers the checks of which something was. */
export async function dropUnderWay(tx: Db, checkNos: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ inspects: number }>`
    delete from dry_runs where inspects = any(${plainArray(checkNos)}::int[]) returning inspects`.execute(tx)
  return rows.map((row) => row.inspects)
}

/** The checks whose inspections the runner holds. */
export async function checksInspectedBy(tx: Db, runnerId: number, leaseIds: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ inspects: number }>`
    select inspects from dry_runs
    where lease_id = any(${plainArray(leaseIds)}::uuid[]) and runner_id = ${runnerId} and inspects is not null`.execute(
    tx,
  )
  return rows.map((row) => row.inspects)
}

export interface EndedInspection {
  id: string
  leaseId: string
  checkNo: number
  host: string
  locationNo: number
}

/**
 * Ends those that the runner still holds, under the locks of their checks. Each is due again after the given time,
 * whatever came of it.
 */
export async function endInspections(
  tx: Db,
  runnerId: number,
  checkNos: readonly number[],
  leaseIds: readonly string[],
  dueInMs: number,
): Promise<EndedInspection[]> {
  // In the order of everybody: what is awaited, then what is under way.
  await sql`
    select from certificate_inspections where check_no = any(${plainArray(checkNos)}::int[])
    order by check_no for update`.execute(tx)
  const { rows } = await sql<{ id: string; lease_id: string; inspects: number; host: string; location_no: number }>`
    with ended as (
      delete from dry_runs where lease_id = any(${plainArray(leaseIds)}::uuid[]) and runner_id = ${runnerId}
        and inspects is not null
      returning id, lease_id, inspects, location_no)
    update certificate_inspections i set due_at = now() + ${dueInMs} * interval '1 millisecond'
    from ended e where i.check_no = e.inspects
    returning e.id, e.lease_id, e.inspects, i.host, e.location_no`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    leaseId: row.lease_id,
    checkNo: row.inspects,
    host: row.host,
    locationNo: row.location_no,
  }))
}

export async function noteSeen(tx: Db, checkNos: readonly number[]): Promise<void> {
  await sql`
    update certificate_inspections set tries = 0 where check_no = any(${plainArray(checkNos)}::int[])`.execute(tx)
}
