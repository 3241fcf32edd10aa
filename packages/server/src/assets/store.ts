import type { KeptAsset } from '@vedette/core'
import { ASSET_LIMITS, type ScriptAssetType } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { LeaseKey } from '../scheduling/lease.ts'

export interface HeldRun {
  accountId: string
  locationNo: number
  checkRunId: number
  attempt: number
}

/** The run of a lease that a runner with this key holds. */
export async function findHeldRun(db: Db, lease: LeaseKey, keyId: string): Promise<HeldRun | undefined> {
  const { rows } = await sql<{ account_id: string; location_no: number; check_run_id: number; attempt: number }>`
    select c.account_id, s.location_no, s.check_run_id, s.attempt
    from schedule s join checks c on c.no = s.check_no join runners r on r.id = s.runner_id
    where s.check_no = ${lease.checkNo} and s.id = ${lease.scheduleId} and s.lease_id = ${lease.resultId}
      and r.key_id = ${keyId}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { account_id, location_no, check_run_id, attempt } = row
  return { accountId: account_id, locationNo: location_no, checkRunId: check_run_id, attempt }
}

export interface NewAsset extends HeldRun {
  checkNo: number
  resultId: string
  name: string
  fileName: string
  type: ScriptAssetType
  contentType: string
  size: number
  key: string
}

export type Begun = { is: 'begun'; key: string } | { is: 'stored' } | { is: 'too-much' }

/** Written before the file. One that was begun before keeps its place in the store. */
export async function beginAsset(tx: Db, asset: NewAsset): Promise<Begun> {
  const { rows } = await sql<{ name: string; size: number; is_stored: boolean }>`
    select name, size::float8 as size, stored_at is not null as is_stored from result_assets
    where check_no = ${asset.checkNo} and result_id = ${asset.resultId}`.execute(tx)
  if (rows.some(({ name, is_stored }) => name === asset.name && is_stored)) return { is: 'stored' }
  const others = rows.filter(({ name }) => name !== asset.name)
  const bytes = others.reduce((sum, { size }) => sum + size, asset.size)
  if (others.length >= ASSET_LIMITS.files || bytes > ASSET_LIMITS.runBytes) return { is: 'too-much' }
  const written = await sql<{ store_key: string }>`
    insert into result_assets (account_id, check_no, result_id, location_no, check_run_id, attempt, name, file_name, type,
      content_type, size, store_key)
    values (${asset.accountId}, ${asset.checkNo}, ${asset.resultId}, ${asset.locationNo}, ${asset.checkRunId}, ${asset.attempt},
      ${asset.name}, ${asset.fileName}, ${asset.type}, ${asset.contentType}, ${asset.size}, ${asset.key})
    on conflict (check_no, result_id, name) do update set size = excluded.size, type = excluded.type, content_type = excluded.content_type
    returning store_key`.execute(tx)
  const [row] = written.rows
  if (row === undefined) throw new Error('An asset was not written.')
  return { is: 'begun', key: row.store_key }
}

/** False: it was swept meanwhile. */
export async function noteStored(db: Db, key: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update result_assets set stored_at = now() where store_key = ${key}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export interface StoredAsset {
  resultId: string
  checkRunId: number
  name: string
  fileName: string
  type: ScriptAssetType
  contentType: string
  size: number
  key: string
}

interface AssetRow {
  result_id: string
  check_run_id: number
  name: string
  file_name: string
  type: ScriptAssetType
  content_type: string
  size: number
  store_key: string
}

const columns = sql`a.result_id, a.check_run_id::float8 as check_run_id, a.name, a.file_name, a.type, a.content_type,
  a.size::float8 as size, a.store_key`

const toAsset = (row: AssetRow): StoredAsset => ({
  resultId: row.result_id,
  checkRunId: row.check_run_id,
  name: row.name,
  fileName: row.file_name,
  type: row.type,
  contentType: row.content_type,
  size: row.size,
  key: row.store_key,
})

export async function findAsset(
  db: Db,
  {
    accountId,
    checkId,
    locationNos,
    checkRunId,
    fileName,
  }: {
    accountId: string
    checkId: string
    /** Places of the same name: one of the account, one of everybody. */
    locationNos: readonly number[]
    checkRunId: number
    fileName: string
  },
): Promise<StoredAsset | undefined> {
  const { rows } = await sql<AssetRow>`
    select ${columns} from checks c join result_assets a on a.check_no = c.no
    where c.id = ${checkId} and c.account_id = ${accountId} and a.check_run_id = ${checkRunId}
      and a.file_name = ${fileName} and a.location_no = any(${plainArray(locationNos)}::int[]) and a.stored_at is not null`.execute(
    db,
  )
  return rows.map(toAsset)[0]
}

/** In the order in which they came. */
export async function assetsOfResults(db: Db, checkNo: number, resultIds: readonly string[]): Promise<StoredAsset[]> {
  if (resultIds.length === 0) return []
  const { rows } = await sql<AssetRow>`
    select ${columns} from result_assets a
    where a.check_no = ${checkNo} and a.result_id = any(${plainArray(resultIds)}::uuid[]) and a.stored_at is not null
    order by a.id`.execute(db)
  return rows.map(toAsset)
}

/** Tells of those whose results are there by now whether these passed. */
export async function settle(db: Db): Promise<void> {
  await sql`
    update result_assets a set passed = (r.flags & 3) = 0
    from check_results r
    where a.passed is null and r.check_no = a.check_no and r.id = a.result_id`.execute(db)
}

export interface DroppableAsset extends KeptAsset {
  id: number
  key: string
}

interface DroppableRow {
  id: number
  store_key: string
  size: number
  created_ms: number
  passed: boolean | null
}

const droppable = sql`a.id::float8 as id, a.store_key, a.size::float8 as size,
  (extract(epoch from a.created_at) * 1000)::float8 as created_ms, a.passed`

const toDroppable = (row: DroppableRow): DroppableAsset => ({
  id: row.id,
  key: row.store_key,
  size: row.size,
  createdAtMs: row.created_ms,
  passed: row.passed === true,
})

const LOST_AFTER = '1 hour'

/** What nobody can reach: of checks that are gone, of runs that were never recorded, and what never got to the store. */
export async function unreachable(db: Db, limit: number): Promise<DroppableAsset[]> {
  const { rows } = await sql<DroppableRow>`
    select ${droppable} from result_assets a
    where not exists (select from checks c where c.no = a.check_no)
      or (a.created_at < now() - ${sql.lit(LOST_AFTER)}::interval and (a.stored_at is null or a.passed is null)
        and not exists (select from schedule s where s.check_no = a.check_no and s.lease_id = a.result_id))
    order by a.id limit ${limit}`.execute(db)
  return rows.map(toDroppable)
}

/** The oldest of runs that passed, or of all others. */
export async function oldest(db: Db, passed: boolean, limit: number): Promise<DroppableAsset[]> {
  const { rows } = await sql<DroppableRow>`
    select ${droppable} from result_assets a where a.passed = ${passed} order by a.created_at limit ${limit}`.execute(
    db,
  )
  return rows.map(toDroppable)
}

export async function bytesKept(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::float8 as bytes from result_assets`.execute(db)
  return rows[0]?.bytes ?? 0
}

export async function forgetAssets(db: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from result_assets where id = any(${plainArray(ids)}::bigint[])`.execute(db)
}

export async function knownKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ store_key: string }>`
    select store_key from result_assets where store_key = any(${plainArray(keys)}::text[])`.execute(db)
  return new Set(rows.map(({ store_key }) => store_key))
}
