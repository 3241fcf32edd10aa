import type { AlertChannelsSummary, RunnableKind, Subscription } from '@vedette/schema'
import { type SelectQueryBuilder, sql } from 'kysely'
import { invalidField } from '../../app-error.ts'
import type { CheckSettings, StoredCheck } from '../../checks/check.ts'
import { toStoredCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export interface CheckFields {
  kind: RunnableKind
  name: string
  activated: boolean
  muted: boolean
  tags: string[]
  settings: CheckSettings
}

export async function insertCheck(tx: Db, accountId: string, fields: CheckFields): Promise<StoredCheck> {
  const row = await tx
    .insertInto('checks')
    .values({ ...fields, account_id: accountId, settings: JSON.stringify(fields.settings) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.insertInto('check_states').values({ check_no: row.no }).execute()
  return toStoredCheck(row)
}

export async function updateCheck(tx: Db, no: number, fields: CheckFields): Promise<StoredCheck> {
  const row = await tx
    .updateTable('checks')
    .set({ ...fields, settings: JSON.stringify(fields.settings), updated_at: new Date() })
    .where('no', '=', no)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toStoredCheck(row)
}

/** Results go with their partitions; nobody can read them once the check is gone. */
export async function deleteCheck(tx: Db, no: number): Promise<void> {
  await tx.deleteFrom('checks').where('no', '=', no).execute()
}

export interface CheckFilter {
  tags: readonly string[] | undefined
  urlPart: string | undefined
  search: string | undefined
  status: 'passing' | 'failing' | 'degraded' | undefined
}

export async function listChecks(
  db: Db,
  accountId: string,
  filter: CheckFilter,
  page: { limit: number; offset: number },
): Promise<{ checks: StoredCheck[]; total: number }> {
  const matching = filtered(db.selectFrom('checks').where('checks.account_id', '=', accountId), filter)
  const rows = await matching
    .selectAll('checks')
    .orderBy('checks.created_at')
    .orderBy('checks.no')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { checks: rows.map(toStoredCheck), total }
}

export function filtered<O>(query: SelectQueryBuilder<Tables, 'checks', O>, filter: CheckFilter) {
  return query
    .$if(filter.tags !== undefined && filter.tags.length > 0, (q) =>
      q.where(sql<boolean>`checks.tags && ${filter.tags}::text[]`),
    )
    .$if(filter.urlPart !== undefined, (q) =>
      q
        .where('checks.kind', '=', 'API')
        .where(sql<boolean>`position(${filter.urlPart ?? ''} in checks.settings->'request'->>'url') > 0`),
    )
    .$if(filter.search !== undefined && filter.search !== '', (q) =>
      q.where(sql<boolean>`position(lower(${filter.search ?? ''}) in lower(checks.name)) > 0`),
    )
    .$if(filter.status !== undefined, (q) =>
      q.where(sql<boolean>`exists (select from check_states s where s.check_no = checks.no and s.updated_at is not null
        and case when s.has_failures then 'failing' when s.is_degraded then 'degraded' else 'passing' end = ${filter.status})`),
    )
}

export async function subscriptionsOf(db: Db, checkNos: readonly number[]): Promise<Map<number, Subscription[]>> {
  const found = new Map<number, Subscription[]>()
  if (checkNos.length === 0) return found
  const rows = await db
    .selectFrom('subscriptions')
    .select(['check_no', 'channel_id', 'activated'])
    .where('check_no', 'in', checkNos)
    .orderBy('channel_id')
    .execute()
  for (const row of rows) {
    const list = found.get(row.check_no) ?? []
    list.push({ alertChannelId: row.channel_id, activated: row.activated })
    found.set(row.check_no, list)
  }
  return found
}

/** The channels that hear of each check, in the shape that older clients read. */
export async function channelSummaries(
  db: Db,
  checkNos: readonly number[],
): Promise<Map<number, AlertChannelsSummary>> {
  const found = new Map<number, AlertChannelsSummary>(
    checkNos.map((no) => [no, { email: [], webhook: [], slack: [], sms: [] }]),
  )
  if (checkNos.length === 0) return found
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('alert_channels', 'alert_channels.id', 'subscriptions.channel_id')
    .select(['check_no', 'config'])
    .where('check_no', 'in', checkNos)
    .where('subscriptions.activated', '=', true)
    .orderBy('channel_id')
    .execute()
  for (const { check_no, config } of rows) {
    found.get(check_no)?.webhook.push({
      name: config.name,
      url: config.url,
      method: config.method ?? 'POST',
      headers: config.headers ?? [],
      queryParameters: config.queryParameters ?? [],
    })
  }
  return found
}

/** @throws AppError `invalid` when one of the channels is not of this account. */
export async function setSubscriptions(
  tx: Db,
  accountId: string,
  checkNo: number,
  wanted: readonly Subscription[],
  field = 'alertChannelSubscriptions',
): Promise<void> {
  const ids = [...new Set(wanted.map((item) => item.alertChannelId))]
  if (ids.length > 0) {
    const known = await tx
      .selectFrom('alert_channels')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      .execute()
    const missing = ids.find((id) => !known.some((row) => row.id === id))
    if (missing !== undefined) throw invalidField(field, `names the alert channel ${missing}, which does not exist`)
  }
  await tx.deleteFrom('subscriptions').where('check_no', '=', checkNo).execute()
  if (wanted.length === 0) return
  const rows = new Map(wanted.map((item) => [item.alertChannelId, item.activated]))
  await tx
    .insertInto('subscriptions')
    .values([...rows].map(([channel_id, activated]) => ({ channel_id, check_no: checkNo, activated })))
    .execute()
}

/** The channels to which a new check is subscribed without being asked. */
export async function channelsForNewCheck(tx: Db, accountId: string, all: boolean): Promise<number[]> {
  const rows = await tx
    .selectFrom('alert_channels')
    .select('id')
    .where('account_id', '=', accountId)
    .$if(!all, (q) => q.where('auto_subscribe', '=', true))
    .execute()
  return rows.map((row) => row.id)
}

/** @throws AppError `invalid` for a slug that names no private location of the account. */
export async function assertPrivateLocations(tx: Db, accountId: string, slugs: readonly string[]): Promise<void> {
  if (slugs.length === 0) return
  const known = await tx
    .selectFrom('locations')
    .select('slug')
    .where('account_id', '=', accountId)
    .where('slug', 'in', slugs)
    .execute()
  const missing = slugs.find((slug) => !known.some((row) => row.slug === slug))
  if (missing !== undefined) {
    throw invalidField('privateLocations', `names "${missing}", which does not exist`)
  }
}
