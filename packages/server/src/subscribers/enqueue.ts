/** Notes what is to be told of incidents, in the transaction that tells it. The mails are written when it is due (write.ts). */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import type { Log } from '../log.ts'

/** What is said to subscribers; part of the same transaction. */
export interface Subscribers {
  /** Of the updates those that are to be told: news for everybody who has agreed to hear of a page that shows a service. */
  tell(tx: Db, updateIds: readonly string[]): Promise<void>
  /** Asks whether the addresses want mail. */
  ask(tx: Db, subscriptionIds: readonly string[]): Promise<void>
  /** An update has changed: what still waits is told at its new time, or not at all. Nothing more is told because of it. */
  follow(tx: Db, updateId: string): Promise<void>
}

export function subscribersByMail(): Subscribers {
  return {
    async tell(tx, updateIds) {
      if (updateIds.length === 0) return
      // A row for a page, not for a reader: results are recorded in this transaction, and pages have thousands of readers.
      // The time is that of the statement: who had to wait for another one to tell of the incident comes after that one.
      const { numAffectedRows } = await sql`
        insert into status_page_news (update_id, page_id, due_at)
        select distinct u.id, c.page_id, greatest(statement_timestamp(), u.public_at)
        from status_page_incident_updates u
        join status_page_incident_services x on x.incident_id = u.incident_id
        join status_page_card_services shown on shown.service_id = x.service_id
        join status_page_cards c on c.id = shown.card_id
        where u.id = any(${updateIds}::uuid[]) and u.notify_subscribers
        on conflict do nothing`.execute(tx)
      if (Number(numAffectedRows ?? 0) > 0) await notify(tx, 'mails')
    },
    async ask(tx, subscriptionIds) {
      if (subscriptionIds.length === 0) return
      await sql`
        with asked as (
          update status_page_subscriptions set asked_at = now(), asks = asks + 1
          where id = any(${subscriptionIds}::uuid[]) and status = 'PENDING' returning id
        )
        insert into status_page_mails (subscription_id) select id from asked on conflict do nothing`.execute(tx)
      await notify(tx, 'mails')
    },
    async follow(tx, updateId) {
      // News first: while somebody writes mails of it, we wait here, and find them after.
      await sql`
        delete from status_page_news n using status_page_incident_updates u
        where u.id = ${updateId} and n.update_id = u.id and not u.notify_subscribers`.execute(tx)
      await sql`
        delete from status_page_mails m using status_page_incident_updates u
        where u.id = ${updateId} and m.update_id = u.id and not u.notify_subscribers`.execute(tx)
      // What is due and stays so keeps its turn.
      await sql`
        update status_page_news n set due_at = greatest(statement_timestamp(), u.public_at)
        from status_page_incident_updates u
        where u.id = ${updateId} and n.update_id = u.id and greatest(n.due_at, u.public_at) > now()`.execute(tx)
      await sql`
        update status_page_mails m set due_at = moved.at, news_at = moved.at, turn_at = m.turn_at + (moved.at - m.news_at)
        from (select id, greatest(statement_timestamp(), public_at) as at, public_at from status_page_incident_updates) as moved
        where moved.id = ${updateId} and m.update_id = moved.id and m.tries = 0
          and greatest(m.news_at, moved.public_at) > now()`.execute(tx)
      await notify(tx, 'mails')
    },
  }
}

/** Without a mail server nothing is put aside for later: news that come when somebody sets one up are no news. */
export function noSubscribers(log: Log): Subscribers {
  let isTold = false
  return {
    async tell() {
      if (!isTold) log.info('Subscribers of status pages are not told of anything: there is no mail server (SMTP_URL)')
      isTold = true
    },
    async ask() {},
    async follow() {},
  }
}
