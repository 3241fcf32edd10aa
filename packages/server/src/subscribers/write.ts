/**
 * Writes the mails of news that are due: to everybody who had agreed by then, in portions. Each is one transaction that also
 * notes how far it came, so that a server that dies leaves the rest to another one, and nobody is told twice.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'

/** As many as are written before others get their turn. */
const PORTION = 1000
/** Between the turns of two readers of the same news: about as fast as mails leave. */
const TURN_MS = 100

/** Writes a portion. False when nothing is due, or others are at it. */
export async function writeMails(db: Db, portion = PORTION): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // The page and the update are held: who removes them waits, instead of us for them and them for us.
    const { rows } = await sql<{ update_id: string; page_id: string }>`
      select n.update_id, n.page_id from status_page_news n
      join status_page_incident_updates u on u.id = n.update_id
      join status_pages p on p.id = n.page_id
      where n.due_at <= now() and not exists (
        select from status_page_news other join status_page_incident_updates o on o.id = other.update_id
        where other.page_id = n.page_id and (other.due_at, o.public_at, o.no) < (n.due_at, u.public_at, u.no))
      order by n.place, n.due_at limit 1
      for update of n skip locked for key share of u, p skip locked`.execute(tx)
    const [news] = rows
    if (news === undefined) return false
    const { rows: written } = await sql<{ found: number; last: string | null }>`
      with next as materialized (
        select s.id, n.due_at, n.update_id, n.place + row_number() over (order by s.id) as place
        from status_page_news n
        join status_page_subscriptions s on s.page_id = n.page_id and s.status = 'VERIFIED'
          and coalesce(s.updated_at, s.created_at) <= n.due_at and (n.reader_id is null or s.id > n.reader_id)
        where n.update_id = ${news.update_id} and n.page_id = ${news.page_id}
        order by s.id limit ${portion}
      ), staying as materialized (
        -- Held: who leaves at this moment is waited for, and left out.
        select id from status_page_subscriptions where id in (select id from next) order by id for key share
      ), written as (
        insert into status_page_mails (subscription_id, update_id, due_at, news_at, turn_at)
        select id, update_id, due_at, due_at, due_at + place * ${TURN_MS}::float8 * interval '1 millisecond'
        from next join staying using (id)
        on conflict do nothing
      )
      select count(*)::int as found, (array_agg(id order by id desc))[1] as last from next`.execute(tx)
    const { found, last } = written[0] ?? { found: 0, last: null }
    if (found < portion) {
      await sql`delete from status_page_news where update_id = ${news.update_id} and page_id = ${news.page_id}`.execute(
        tx,
      )
    } else {
      await sql`update status_page_news set reader_id = ${last}, place = place + ${found}
        where update_id = ${news.update_id} and page_id = ${news.page_id}`.execute(tx)
    }
    if (found > 0) await notify(tx, 'mails')
    return true
  })
}

/** Until something is due, negative when it already is; null when there is no news. */
export async function msUntilNextNews(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms from status_page_news`.execute(db)
  return rows[0]?.ms ?? null
}
