/** Incidents and their updates as answers show them. */
import { troubleMs } from '@vedette/core'
import type { IncidentUpdate, StatusPageIncident, StatusPageService } from '@vedette/schema'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/tables.ts'

type UpdateRow = Selectable<Tables['status_page_incident_updates']>

/** `updates` come newest first. */
export function presentIncident(
  row: Selectable<Tables['status_page_incidents']>,
  services: StatusPageService[],
  updates: readonly UpdateRow[],
  nowMs: number,
): StatusPageIncident {
  const steps = updates.toReversed().map(({ status, public_at }) => ({ status, atMs: public_at.getTime() }))
  return {
    id: row.id,
    name: row.name,
    severity: row.severity,
    services,
    incidentUpdates: updates.map(presentUpdate),
    // Every incident has an update; the last one cannot be deleted.
    lastUpdateStatus: updates[0]?.status ?? 'INVESTIGATING',
    duration: troubleMs(steps, nowMs),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}

export function presentUpdate(row: UpdateRow): IncidentUpdate {
  return {
    id: row.id,
    description: row.description,
    status: row.status,
    publicIncidentUpdateDate: row.public_at.toISOString(),
    notifySubscribers: row.notify_subscribers,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}
