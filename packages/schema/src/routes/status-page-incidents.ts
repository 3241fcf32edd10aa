import Type from 'typebox'
import { CursorPage, CursorQuery, route } from '../route.ts'
import { Uuid } from '../shape.ts'
import {
  IncidentUpdate,
  IncidentUpdateWrite,
  StatusPageIncident,
  StatusPageIncidentChange,
  StatusPageIncidentCreate,
  StatusPageIncidentPatch,
} from '../status-page-incident.ts'

const tag = 'Status page incidents'
const params = Type.Object({ incidentId: Uuid })
const updateParams = Type.Object({ incidentId: Uuid, incidentUpdateId: Uuid })
const refusals = { 404: 'No such incident in this account.' }
const writeRefusals = { 404: 'No such incident, or no such service, in this account.' }
const updateRefusals = { 404: 'No such update.' }

export const listStatusPageIncidents = route({
  method: 'GET',
  path: '/v1/status-pages/incidents',
  policy: 'read',
  tag,
  summary: 'List incidents of services, newest first',
  query: Type.Object(CursorQuery),
  answers: { 200: CursorPage(StatusPageIncident) },
})

export const createStatusPageIncident = route({
  method: 'POST',
  path: '/v1/status-pages/incidents',
  policy: 'write',
  tag,
  summary: 'Open an incident with its first update',
  body: StatusPageIncidentCreate,
  answers: { 201: StatusPageIncident },
  refusals: writeRefusals,
})

export const getStatusPageIncident = route({
  method: 'GET',
  path: '/v1/status-pages/incidents/{incidentId}',
  policy: 'read',
  tag,
  summary: 'Get an incident',
  params,
  answers: { 200: StatusPageIncident },
  refusals,
})

export const updateStatusPageIncident = route({
  method: 'PUT',
  path: '/v1/status-pages/incidents/{incidentId}',
  policy: 'write',
  tag,
  summary: 'Replace name, severity and services of an incident',
  params,
  body: StatusPageIncidentChange,
  answers: { 200: StatusPageIncident },
  refusals: writeRefusals,
})

export const patchStatusPageIncident = route({
  method: 'PATCH',
  path: '/v1/status-pages/incidents/{incidentId}',
  policy: 'write',
  tag,
  summary: 'Change some of name, severity and services of an incident',
  params,
  body: StatusPageIncidentPatch,
  answers: { 200: StatusPageIncident },
  refusals: writeRefusals,
})

export const deleteStatusPageIncident = route({
  method: 'DELETE',
  path: '/v1/status-pages/incidents/{incidentId}',
  policy: 'write',
  tag,
  summary: 'Delete an incident with its updates',
  params,
  answers: { 204: null },
  refusals,
})

export const listIncidentUpdates = route({
  method: 'GET',
  path: '/v1/status-pages/incidents/{incidentId}/incident-updates',
  policy: 'read',
  tag,
  summary: 'List the updates of an incident, newest first',
  params,
  answers: { 200: Type.Array(IncidentUpdate) },
  refusals,
})

export const createIncidentUpdate = route({
  method: 'POST',
  path: '/v1/status-pages/incidents/{incidentId}/incident-updates',
  policy: 'write',
  tag,
  summary: 'Say what is new of an incident',
  params,
  body: IncidentUpdateWrite,
  answers: { 201: IncidentUpdate },
  refusals,
})

export const getIncidentUpdate = route({
  method: 'GET',
  path: '/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}',
  policy: 'read',
  tag,
  summary: 'Get an update',
  params: updateParams,
  answers: { 200: IncidentUpdate },
  refusals: updateRefusals,
})

export const updateIncidentUpdate = route({
  method: 'PUT',
  path: '/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}',
  policy: 'write',
  tag,
  summary: 'Correct an update; nobody is notified, absent fields keep their value',
  params: updateParams,
  body: IncidentUpdateWrite,
  answers: { 200: IncidentUpdate },
  refusals: updateRefusals,
})

export const deleteIncidentUpdate = route({
  method: 'DELETE',
  path: '/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}',
  policy: 'write',
  tag,
  summary: 'Delete an update',
  params: updateParams,
  answers: { 204: null },
  refusals: { ...updateRefusals, 409: 'It is the only update of the incident.' },
})
