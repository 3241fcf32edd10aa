/** An incident or a maintenance that people announce on a dashboard. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, NumericId, Uuid } from './shape.ts'

export const INCIDENT_IMPACTS = ['MAINTENANCE', 'MAJOR', 'MINOR'] as const
export const DASHBOARD_INCIDENT_STATUSES = [
  'INVESTIGATING',
  'IDENTIFIED',
  'MONITORING',
  'RESOLVED',
  'MAINTENANCE',
] as const

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Description = Type.String({ minLength: 1, maxLength: 10_000 })
const period = {
  startedAt: Type.Optional(Nullable(DateTime, { description: 'When the incident becomes active.' })),
  stoppedAt: Type.Optional(Nullable(DateTime, { description: 'When the incident becomes inactive.' })),
}

export const DashboardIncidentUpdateCreate = Type.Object({
  status: Type.Enum(DASHBOARD_INCIDENT_STATUSES),
  description: Description,
})
export type DashboardIncidentUpdateCreate = Static<typeof DashboardIncidentUpdateCreate>

export const DashboardIncidentUpdateChange = Type.Object({ description: Description })

export const DashboardIncidentCreate = Type.Object({
  name: Name,
  impact: Type.Optional(Type.Enum(INCIDENT_IMPACTS, { default: 'MINOR' })),
  dashboardId: NumericId,
  ...period,
  incidentUpdates: Type.Array(DashboardIncidentUpdateCreate, { minItems: 1, maxItems: 1 }),
})
export type DashboardIncidentCreate = Static<typeof DashboardIncidentCreate>

export const DashboardIncidentChange = Type.Object({
  name: Name,
  impact: Type.Enum(INCIDENT_IMPACTS),
  ...period,
})
export type DashboardIncidentChange = Static<typeof DashboardIncidentChange>

export const DashboardIncidentUpdate = Type.Object({
  id: Uuid,
  status: Type.Enum(DASHBOARD_INCIDENT_STATUSES),
  description: Type.String(),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type DashboardIncidentUpdate = Static<typeof DashboardIncidentUpdate>

export const DashboardIncident = Type.Object({
  id: Uuid,
  name: Type.String(),
  impact: Type.Enum(INCIDENT_IMPACTS),
  dashboardId: Type.Integer(),
  startedAt: Nullable(DateTime),
  stoppedAt: Nullable(DateTime),
  incidentUpdates: Type.Array(DashboardIncidentUpdate, { description: 'Newest first.' }),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type DashboardIncident = Static<typeof DashboardIncident>
