/** What is told of incidents. Every change here holds the incident first; see `lockIncident`. */
import type { IncidentStatus, IncidentUpdate } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { presentUpdate } from './present.ts'

export interface UpdateFields {
  status: IncidentStatus
  description: string
  notifySubscribers: boolean
  publicAt: Date
}

export async function insertUpdate(tx: Db, incidentId: string, fields: UpdateFields): Promise<IncidentUpdate> {
  const row = await tx
    .insertInto('status_page_incident_updates')
    .values({ incident_id: incidentId, ...columns(fields) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return presentUpdate(row)
}

export async function changeUpdate(tx: Db, id: string, fields: UpdateFields): Promise<IncidentUpdate> {
  const row = await tx
    .updateTable('status_page_incident_updates')
    .set({ ...columns(fields), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return presentUpdate(row)
}

export async function deleteUpdate(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('status_page_incident_updates').where('id', '=', id).execute()
}

function columns({ status, description, notifySubscribers, publicAt }: UpdateFields) {
  return { status, description, notify_subscribers: notifySubscribers, public_at: publicAt }
}
