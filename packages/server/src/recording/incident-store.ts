import type { TriggerIncident } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

const RESOLVED_TEXT = 'The check that reported this passes again.'

/** What was last told of the incident `i`. */
const lastUpdate = sql`lateral (
  select status, public_at, notify_subscribers from status_page_incident_updates u where u.incident_id = i.id
  order by u.public_at desc, u.no desc limit 1
) last`

/**
 * One for each check that has none open. Where the service has just been removed there is nothing to say.
 * Answers the updates that subscribers are to be told.
 */
export async function openIncidents(
  tx: Db,
  incidents: readonly ({ accountId: string; checkNo: number } & TriggerIncident)[],
): Promise<string[]> {
  const rows = incidents.map((incident) => ({
    check_no: incident.checkNo,
    account_id: incident.accountId,
    service_id: incident.serviceId,
    name: incident.name,
    severity: incident.severity,
    description: incident.description,
    notify: incident.notifySubscribers,
  }))
  const { rows: told } = await sql<ToldUpdate>`
    /* prepared: open-incidents */
    with opening as materialized (
      select gen_random_uuid() as id, t.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(check_no int,
        account_id uuid, service_id uuid, name text, severity text, description text, notify boolean)
      join status_page_services s on s.id = t.service_id and s.account_id = t.account_id
      where not exists (select from status_page_incidents i, ${lastUpdate}
        where i.check_no = t.check_no and last.status <> 'RESOLVED')
      for key share of s
    ), opened as (
      insert into status_page_incidents (id, account_id, check_no, name, severity)
      select id, account_id, check_no, name, severity from opening
    ), placed as (
      insert into status_page_incident_services (incident_id, service_id, place) select id, service_id, 0 from opening
    )
    insert into status_page_incident_updates (incident_id, status, description, notify_subscribers, public_at)
    select id, 'INVESTIGATING', description, notify, now() from opening returning id, notify_subscribers`.execute(tx)
  return idsToTell(told)
}

/**
 * Those that the checks have opened and nobody has closed. Whoever was told of the beginning is told of the end.
 * Answers the updates that subscribers are to be told.
 */
export async function closeIncidents(tx: Db, checkNos: readonly number[]): Promise<string[]> {
  const { rows } = await sql<ToldUpdate>`
    /* prepared: close-incidents */
    insert into status_page_incident_updates (incident_id, status, description, notify_subscribers, public_at)
    select i.id, 'RESOLVED', ${RESOLVED_TEXT}, (select u.notify_subscribers from status_page_incident_updates u
        where u.incident_id = i.id order by u.no limit 1), greatest(now(), last.public_at)
    from status_page_incidents i, ${lastUpdate}
    where i.check_no = any(${plainArray(checkNos)}::int[]) and last.status <> 'RESOLVED'
    returning id, notify_subscribers`.execute(tx)
  return idsToTell(rows)
}

interface ToldUpdate {
  id: string
  notify_subscribers: boolean
}

function idsToTell(updates: readonly ToldUpdate[]): string[] {
  return updates.filter((update) => update.notify_subscribers).map(({ id }) => id)
}
