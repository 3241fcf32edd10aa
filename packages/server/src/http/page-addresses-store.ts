/** Which addresses are taken: names are unique in the whole installation, whoever has them. */
import { sql } from 'kysely'
import { AppError } from '../app-error.ts'
import type { Db } from '../db/database.ts'

/** Any fixed number. */
const ADDRESS_LOCK = 7_283_303

/** What has, or wants, the address. The id is null for what is being made. */
export type AddressOwner = { dashboard: number | null } | { statusPage: string | null }

/**
 * Takes turns with everybody else who gives pages addresses, until the transaction ends: no index covers both kinds of
 * page. Call it before any row is locked.
 */
export async function awaitAddressTurn(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADDRESS_LOCK}::bigint)`.execute(tx)
}

/** @throws AppError `conflict` when another dashboard or status page has the domain. */
export async function assertDomainFree(tx: Db, domain: string | null, owner: AddressOwner): Promise<void> {
  if (domain === null) return
  const { rows } = await sql`
    select from dashboards where custom_domain = ${domain} and id is distinct from ${ownDashboard(owner)}::integer
    union all
    select from status_pages where custom_domain = ${domain} and id is distinct from ${ownStatusPage(owner)}::uuid
    limit 1`.execute(tx)
  if (rows.length > 0) throw new AppError('conflict', `The domain "${domain}" is taken.`)
}

/** @throws AppError `conflict` when another page of its kind has the sub-domain. */
export async function assertSubDomainFree(tx: Db, name: string, owner: AddressOwner): Promise<void> {
  const { rows } = await ('dashboard' in owner
    ? sql`select from dashboards where custom_url = ${name} and id is distinct from ${owner.dashboard}::integer`
    : sql`select from status_pages where url = ${name} and id is distinct from ${owner.statusPage}::uuid`
  ).execute(tx)
  if (rows.length > 0) throw new AppError('conflict', `The URL "${name}" is taken.`)
}

const ownDashboard = (owner: AddressOwner) => ('dashboard' in owner ? owner.dashboard : null)
const ownStatusPage = (owner: AddressOwner) => ('statusPage' in owner ? owner.statusPage : null)
