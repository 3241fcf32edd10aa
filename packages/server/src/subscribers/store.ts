/** Subscriptions as their owners use them, and the outbox of mails to them. */
import { ANSWER_WITHIN_MS, type KnownSubscriber, NEWS_FOR_MS } from '@vedette/core'
import type { IncidentStatus, StatusPageIncident } from '@vedette/schema'
import { sql } from 'kysely'
import { hashKey, newKey } from '../auth/keys.ts'
import type { Db } from '../db/database.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** A page, as far as mails name it. */
export interface NamedPage {
  name: string
  url: string
  customDomain: string | null
}

/** What is told of an incident, as the page shows it. */
export interface News {
  incidentId: string
  incident: string
  severity: StatusPageIncident['severity']
  status: IncidentStatus
  description: string
  publicAt: Date
  /** Those that the page shows; none when it shows them no more. */
  services: string[]
}

/** A mail in hand: nobody else sends it before the lease ends. */
export interface LeasedMail {
  id: string
  subscription: { id: string; accountId: string; address: string; sealedToken: string | null }
  page: NamedPage
  /** Null: the question whether the address wants mail. */
  news: News | null
  /** How many tries ended before this one. */
  tries: number
}

interface MailRow {
  id: string
  tries: number
  subscription_id: string
  account_id: string
  address: string
  sealed_token: string | null
  page_name: string
  url: string
  custom_domain: string | null
  update_id: string | null
  status: IncidentStatus
  description: string
  public_at: Date
  incident_id: string
  incident_name: string
  severity: StatusPageIncident['severity']
  services: string[] | null
}

export const MAIL_SORTS = ['QUESTION', 'NEWS'] as const
export type MailSort = (typeof MAIL_SORTS)[number]

/** Nothing waits that the reader is to be told before: nobody hears of the end, and then of the beginning. */
const isFirst = sql<boolean>`m.no = (select first.no from status_page_mails first
  where first.subscription_id = m.subscription_id order by first.news_at, first.no limit 1)`

const OF_SORT = { QUESTION: sql`m.update_id is null`, NEWS: sql`m.update_id is not null` } as const satisfies Record<
  MailSort,
  unknown
>

/** Takes a mail of the sort that is due. Undefined when none is. */
export async function leaseMail(db: Db, sort: MailSort, leaseMs: number): Promise<LeasedMail | undefined> {
  const { rows } = await sql<MailRow>`
    with taken as (
      select m.id from status_page_mails m
      where ${OF_SORT[sort]} and m.due_at <= now() and (m.leased_until is null or m.leased_until <= now()) and ${isFirst}
      order by m.turn_at, m.due_at limit 1 for update of m skip locked
    ), leased as (
      update status_page_mails m set leased_until = now() + ${leaseMs}::int * interval '1 millisecond'
      from taken where m.id = taken.id returning m.id, m.tries, m.subscription_id, m.update_id
    )
    select l.*, s.account_id, s.address, s.sealed_token, p.name as page_name, p.url, p.custom_domain,
      u.status, u.description, u.public_at, i.id as incident_id, i.name as incident_name, i.severity,
      (select array_agg(v.name order by x.place) from status_page_incident_services x
        join status_page_services v on v.id = x.service_id
        where x.incident_id = i.id and exists (select from status_page_card_services shown
          join status_page_cards c on c.id = shown.card_id
          where shown.service_id = x.service_id and c.page_id = p.id)) as services
    from leased l
    join status_page_subscriptions s on s.id = l.subscription_id
    join status_pages p on p.id = s.page_id
    left join status_page_incident_updates u on u.id = l.update_id
    left join status_page_incidents i on i.id = u.incident_id`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { id, tries } = row
  return {
    ...{ id, tries },
    subscription: {
      id: row.subscription_id,
      accountId: row.account_id,
      address: row.address,
      sealedToken: row.sealed_token,
    },
    page: { name: row.page_name, url: row.url, customDomain: row.custom_domain },
    news:
      row.update_id === null
        ? null
        : {
            incidentId: row.incident_id,
            incident: row.incident_name,
            severity: row.severity,
            status: row.status,
            description: row.description,
            publicAt: row.public_at,
            services: row.services ?? [],
          },
  }
}

/** Until something can be sent, negative when it already can; null when nothing waits. */
export async function msUntilNextMail(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(greatest(m.due_at, m.leased_until)) - now()) * 1000)::float8 as ms
    from status_page_mails m where ${isFirst}`.execute(db)
  return rows[0]?.ms ?? null
}

/** The secret in the links of all mails of a subscription. It is made with the first of them. */
export async function tokenOf(db: Db, secrets: Secrets, subscription: LeasedMail['subscription']): Promise<string> {
  const { id, accountId } = subscription
  const place = { accountId, table: 'status_page_subscriptions', column: 'sealed_token', rowId: id }
  if (subscription.sealedToken !== null) return secrets.open(place, subscription.sealedToken)
  const { raw, hash } = newKey('subscriber')
  const { numUpdatedRows } = await db
    .updateTable('status_page_subscriptions')
    .set({ token_hash: hash, sealed_token: secrets.seal(place, raw) })
    .where('id', '=', id)
    .where('sealed_token', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return raw
  // Another server has just made it.
  const { sealed_token: sealed } = await db
    .selectFrom('status_page_subscriptions')
    .select('sealed_token')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (sealed === null) throw new Error('A subscription has no token and takes none.')
  return secrets.open(place, sealed)
}

export async function recordSent(db: Db, { id, subscription }: LeasedMail): Promise<void> {
  await sql`
    with sent as (delete from status_page_mails where id = ${id})
    update status_page_subscriptions set refusals = 0, last_refusal = null
    where id = ${subscription.id} and refusals > 0`.execute(db)
}

/** Nothing is said of who was to get it. */
export async function dropMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('status_page_mails').where('id', '=', id).execute()
}

export async function postponeMail(db: Db, id: string, delayMs: number): Promise<void> {
  await sql`
    update status_page_mails
    set tries = tries + 1, leased_until = null, due_at = now() + ${delayMs}::float8 * interval '1 millisecond'
    where id = ${id}`.execute(db)
}

/** Drops the mail. Answers how many in a row were refused for good by now; undefined when nobody is subscribed any more. */
export async function recordRefusal(
  db: Db,
  { id, subscription }: LeasedMail,
  words: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ refusals: number }>`
    with refused as (delete from status_page_mails where id = ${id})
    update status_page_subscriptions set refusals = refusals + 1, last_refusal = ${words}
    where id = ${subscription.id} returning refusals`.execute(db)
  return rows[0]?.refusals
}

export async function removeSubscription(db: Db, id: string): Promise<void> {
  await db.deleteFrom('status_page_subscriptions').where('id', '=', id).execute()
}

export async function findPageId(db: Db, url: string): Promise<{ id: string; accountId: string } | undefined> {
  const row = await db.selectFrom('status_pages').select(['id', 'account_id']).where('url', '=', url).executeTakeFirst()
  return row && { id: row.id, accountId: row.account_id }
}

/** Finds the subscription of the address or makes one, and holds it until the transaction ends. */
export async function lockSubscription(
  tx: Db,
  page: { id: string; accountId: string },
  address: string,
): Promise<{ id: string; known: KnownSubscriber | null }> {
  const { rows } = await sql<{ id: string }>`
    insert into status_page_subscriptions (account_id, page_id, address, status)
    values (${page.accountId}, ${page.id}, ${address}, 'PENDING') on conflict do nothing returning id`.execute(tx)
  const [made] = rows
  if (made !== undefined) return { id: made.id, known: null }
  const row = await tx
    .selectFrom('status_page_subscriptions')
    .select(['id', 'status', 'asked_at', 'asks'])
    .where('page_id', '=', page.id)
    .where(sql<string>`lower(address)`, '=', sql<string>`lower(${address})`)
    .forUpdate()
    .executeTakeFirst()
  // It was removed at this moment.
  if (row === undefined) return lockSubscription(tx, page, address)
  return {
    id: row.id,
    known: { status: row.status, askedAtMs: row.asked_at?.getTime() ?? null, asks: row.asks },
  }
}

const ANSWER_WITHIN = sql`${ANSWER_WITHIN_MS}::float8 * interval '1 millisecond'`
/** Nobody has answered in time. Those that nobody could ask wait on. */
const expired = sql<boolean>`status = 'PENDING' and asked_at < now() - ${ANSWER_WITHIN}`

/** The page that the link is about; undefined for one that is no good, or not any more. */
export async function findByToken(db: Db, token: string): Promise<NamedPage | undefined> {
  const row = await db
    .selectFrom('status_page_subscriptions as s')
    .innerJoin('status_pages as p', 'p.id', 's.page_id')
    .select(['p.name', 'p.url', 'p.custom_domain'])
    .where('s.token_hash', '=', hashKey(token))
    .where(sql<boolean>`not (s.status = 'PENDING' and s.asked_at < now() - ${ANSWER_WITHIN})`)
    .executeTakeFirst()
  return row && { name: row.name, url: row.url, customDomain: row.custom_domain }
}

/** The owner of the address has opened the link. False for one that is no good, or not any more. */
export async function verify(db: Db, token: string): Promise<boolean> {
  const { rows } = await sql`
    with verified as (
      update status_page_subscriptions set status = 'VERIFIED', updated_at = case when status = 'VERIFIED' then updated_at else now() end
      where token_hash = ${hashKey(token)} and not (${expired}) returning id
    ), unasked as (
      delete from status_page_mails m using verified v where m.subscription_id = v.id and m.update_id is null
    )
    select id from verified`.execute(db)
  return rows.length > 0
}

export async function unsubscribe(db: Db, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('status_page_subscriptions')
    .where('token_hash', '=', hashKey(token))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function forgetUnanswered(db: Db): Promise<void> {
  await db.deleteFrom('status_page_subscriptions').where(expired).execute()
}

/** In portions: after days without a mail server there can be very many. */
const DROPPED_AT_ONCE = 5000

/** Drops what has waited until it was news no more. Answers how many mails, and how many updates of which there were none yet. */
export async function dropOldNews(db: Db): Promise<{ mails: number; updates: number }> {
  const before = sql`now() - ${NEWS_FOR_MS}::float8 * interval '1 millisecond'`
  const { numAffectedRows: updates } = await sql`delete from status_page_news where due_at < ${before}`.execute(db)
  for (let mails = 0; ; ) {
    const { numAffectedRows } = await sql`
      delete from status_page_mails where id in (
        select id from status_page_mails
        where update_id is not null and turn_at < ${before} and (leased_until is null or leased_until <= now())
        order by turn_at limit ${DROPPED_AT_ONCE} for update skip locked)`.execute(db)
    const dropped = Number(numAffectedRows ?? 0)
    mails += dropped
    if (dropped < DROPPED_AT_ONCE) return { mails, updates: Number(updates ?? 0) }
  }
}
