/** An incident of services, and what the public is told about it. */
import Type, { type Static } from 'typebox'
import { SEVERITIES } from './check.ts'
import { DateTime, Nullable, Uuid } from './shape.ts'
import { ServiceReference, StatusPageService } from './status-page-service.ts'

export const INCIDENT_STATUSES = ['INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED'] as const
export const IncidentStatus = Type.Enum(INCIDENT_STATUSES)
export type IncidentStatus = Static<typeof IncidentStatus>

export const IncidentUpdateWrite = Type.Object({
  description: Type.String({ minLength: 1, maxLength: 10_000 }),
  status: Type.Optional(
    Type.Enum(INCIDENT_STATUSES, {
      description: 'For a new update, unless given: the status that the incident has; INVESTIGATING for its first.',
    }),
  ),
  publicIncidentUpdateDate: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the public is told that it happened; now unless given.' }),
  ),
  notifySubscribers: Type.Optional(
    Type.Boolean({
      description:
        'Tell the subscribers of the status pages by mail; false unless given. Changing an update tells nobody.',
    }),
  ),
})
export type IncidentUpdateWrite = Static<typeof IncidentUpdateWrite>

export const IncidentUpdate = Type.Object({
  id: Uuid,
  description: Type.String(),
  status: IncidentStatus,
  publicIncidentUpdateDate: DateTime,
  notifySubscribers: Type.Boolean(),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type IncidentUpdate = Static<typeof IncidentUpdate>

const fields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  severity: Type.Enum(SEVERITIES),
  services: Type.Array(ServiceReference, { minItems: 1, maxItems: 100 }),
}
export const StatusPageIncidentChange = Type.Object(fields)
export const StatusPageIncidentPatch = Type.Partial(StatusPageIncidentChange)
export type StatusPageIncidentPatch = Static<typeof StatusPageIncidentPatch>

export const StatusPageIncidentCreate = Type.Object({
  ...fields,
  incidentUpdates: Type.Array(IncidentUpdateWrite, { minItems: 1, maxItems: 1 }),
})
export type StatusPageIncidentCreate = Static<typeof StatusPageIncidentCreate>

export const StatusPageIncident = Type.Object({
  id: Uuid,
  name: Type.String(),
  severity: Type.Enum(SEVERITIES),
  services: Type.Array(StatusPageService),
  incidentUpdates: Type.Array(IncidentUpdate, { description: 'Newest first.' }),
  lastUpdateStatus: IncidentStatus,
  duration: Type.Number({ description: 'Milliseconds of trouble; until now while the incident is open.' }),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type StatusPageIncident = Static<typeof StatusPageIncident>
