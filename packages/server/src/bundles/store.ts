/** Which bundles there are. */
import { CODE_BUNDLE_PATH, type CodeBundle } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

export const bundleKey = (accountId: string, sha256: string) => `bundles/${accountId}/${sha256}.tar.gz`

/** Counts as a use of one that is there. Nobody sweeps it before the transaction has ended. */
export async function addBundle(
  tx: Db,
  accountId: string,
  { sha256, size, files }: Pick<CodeBundle, 'sha256' | 'size' | 'files'>,
): Promise<CodeBundle> {
  const row = await tx
    .insertInto('code_bundles')
    .values({ account_id: accountId, sha256, size, files })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'sha256']).doUpdateSet({ last_used_at: sql<Date>`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return present(row)
}

/** Whether the account has it. Nobody sweeps it before the transaction has ended. */
export async function useBundle(tx: Db, accountId: string, sha256: string): Promise<boolean> {
  const row = await tx
    .updateTable('code_bundles')
    .set({ last_used_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('sha256', '=', sha256)
    .returning('sha256')
    .executeTakeFirst()
  return row !== undefined
}

/** Undefined when the runner does not hold the lease, or its account has no such bundle. */
export async function findLeasedBundle(
  db: Db,
  runnerId: number,
  lease: { resultId: string } | { dryRun: string },
  sha256: string,
): Promise<{ accountId: string; size: number } | undefined> {
  const account =
    'resultId' in lease
      ? sql`select c.account_id from schedule s join checks c on c.no = s.check_no
          where s.lease_id = ${lease.resultId}::uuid and s.runner_id = ${runnerId} and c.kind = 'PLAYWRIGHT'`
      : sql`select account_id from dry_runs
          where lease_id = ${lease.dryRun}::uuid and runner_id = ${runnerId} and kind = 'PLAYWRIGHT'`
  const { rows } = await sql<{ account_id: string; size: number }>`
    select account_id, size from code_bundles where sha256 = ${sha256} and account_id in (${account})`.execute(db)
  const [row] = rows
  return row && { accountId: row.account_id, size: row.size }
}

const KEPT_UNUSED_DAYS = 30

const isUsed = sql`exists (select from checks c where c.account_id = code_bundles.account_id and c.kind = 'PLAYWRIGHT'
  and c.settings->>'codeBundlePath' = 'bundles/' || code_bundles.sha256 || '.tar.gz')`

/** What a check uses stays young. */
export async function noteUsedBundles(db: Db): Promise<void> {
  await sql`update code_bundles set last_used_at = now()
    where last_used_at < now() - interval '1 day' and ${isUsed}`.execute(db)
}

/** Removes one that nobody has used for long, and answers it. Uploading it again waits until the transaction has ended. */
export async function takeUnusedBundle(tx: Db): Promise<{ accountId: string; sha256: string } | undefined> {
  const { rows } = await sql<{ account_id: string; sha256: string }>`
    delete from code_bundles where (account_id, sha256) in (
      select account_id, sha256 from code_bundles
      where last_used_at < now() - ${KEPT_UNUSED_DAYS} * interval '1 day' and not ${isUsed}
      order by last_used_at limit 1 for update skip locked)
    returning account_id, sha256`.execute(tx)
  const [row] = rows
  return row && { accountId: row.account_id, sha256: row.sha256 }
}

/** Removes those that no check uses, the longest unused first, until the account has no more than that. Answers them. */
export async function makeRoomForBundles(
  tx: Db,
  accountId: string,
  mostBytes: number,
  keep: string,
): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    with unused as (
      select sha256, sum(size::bigint) over (order by last_used_at, sha256) as freed from code_bundles
      where account_id = ${accountId} and sha256 <> ${keep} and not ${isUsed}),
    total as (select sum(size::bigint) as bytes from code_bundles where account_id = ${accountId})
    delete from code_bundles b using unused u, total t
    where b.account_id = ${accountId} and b.sha256 = u.sha256 and t.bytes - u.freed + b.size > ${mostBytes}
    returning b.sha256`.execute(tx)
  return rows.map(({ sha256 }) => sha256)
}

/** Bytes of the bundles that checks of an account use, and of one more. */
export async function bytesInUse(tx: Db, accountId: string, sha256: string): Promise<number> {
  const { bytes } = await tx
    .selectFrom('code_bundles')
    .select(sql<number>`coalesce(sum(size), 0)::float8`.as('bytes'))
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(sha256 = ${sha256} or ${isUsed})`)
    .executeTakeFirstOrThrow()
  return bytes
}

function present(row: Selectable<Tables['code_bundles']>): CodeBundle {
  return {
    codeBundlePath: CODE_BUNDLE_PATH.of(row.sha256),
    size: row.size,
    sha256: row.sha256,
    files: row.files,
    created_at: row.created_at.toISOString(),
  }
}
