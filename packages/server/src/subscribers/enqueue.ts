/** Puts what is told of incidents into the outbox of mails, in the transaction that tells it. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import type { Log } from '../log.ts'

/** What is said to subscribers; part of the same transaction. */
export interface Subscribers {
  /** Of the updates those that are to be told: a mail to everybody who has agreed to hear of a page that shows a service. */
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
      const { numAffectedRows } = await sql`
        with told as materialized (
          select distinct u.id, u.public_at, c.page_id
          from status_page_incident_updates u
          join status_page_incident_services x on x.incident_id = u.incident_id
          join status_page_card_services shown on shown.service_id = x.service_id
          join status_page_cards c on c.id = shown.card_id
          where u.id = any(${updateIds}::uuid[]) and u.notify_subscribers
        ), readers as materialized (
          -- Held: who leaves at this moment is waited for, and left out, instead of undoing what is told.
          select s.id, s.page_id, s.created_at, told.id as update_id, told.public_at
          from told join status_page_subscriptions s on s.page_id = told.page_id and s.status = 'VERIFIED'
          for key share of s
        )
        insert into status_page_mails (subscription_id, update_id, due_at, place)
        select id, update_id, greatest(now(), public_at),
          row_number() over (partition by update_id, page_id order by created_at, id)
        from readers
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
      await sql`
        delete from status_page_mails m using status_page_incident_updates u
        where u.id = ${updateId} and m.update_id = u.id and not u.notify_subscribers`.execute(tx)
      const { numAffectedRows } = await sql`
        update status_page_mails m set due_at = greatest(now(), u.public_at)
        from status_page_incident_updates u
        where u.id = ${updateId} and m.update_id = u.id and m.tries = 0`.execute(tx)
      if (Number(numAffectedRows ?? 0) > 0) await notify(tx, 'mails')
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
