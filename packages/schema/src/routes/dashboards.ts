import Type from 'typebox'
import { Dashboard, DashboardCreate, DashboardUpdate, PageKey } from '../dashboard.ts'
import {
  DashboardIncident,
  DashboardIncidentChange,
  DashboardIncidentCreate,
  DashboardIncidentUpdate,
  DashboardIncidentUpdateChange,
  DashboardIncidentUpdateCreate,
} from '../dashboard-incident.ts'
import { BooleanQuery, PageQuery, route } from '../route.ts'
import { NumericId, Uuid } from '../shape.ts'

const tag = 'Dashboards'
const DashboardId = Type.String({ minLength: 1, maxLength: 253 })
const params = Type.Object({ dashboardId: DashboardId })
const refusals = { 404: 'No such dashboard in this account.' }
const taken = { 409: 'The custom URL or the custom domain is taken.' }

export const listDashboards = route({
  method: 'GET',
  path: '/v1/dashboards',
  policy: 'read',
  tag,
  summary: 'List dashboards',
  query: Type.Object(PageQuery),
  answers: { 200: Type.Array(Dashboard) },
})

export const createDashboard = route({
  method: 'POST',
  path: '/v1/dashboards',
  policy: 'write',
  tag,
  summary: 'Create a dashboard; a private one gets its first key',
  body: DashboardCreate,
  answers: { 201: Dashboard },
  refusals: taken,
})

export const getDashboard = route({
  method: 'GET',
  path: '/v1/dashboards/{dashboardId}',
  policy: 'read',
  tag,
  summary: 'Get a dashboard',
  rate: { requests: 10, seconds: 20 },
  params,
  query: Type.Object({
    type: Type.Optional(
      Type.Enum(['customUrl', 'customDomain'], { description: 'What the path holds instead of the `dashboardId`.' }),
    ),
  }),
  answers: { 200: Dashboard },
  refusals,
})

export const updateDashboard = route({
  method: 'PUT',
  path: '/v1/dashboards/{dashboardId}',
  policy: 'write',
  tag,
  summary: 'Update a dashboard; absent fields keep their value',
  params,
  body: DashboardUpdate,
  answers: { 200: Dashboard },
  refusals: { ...refusals, ...taken },
})

export const deleteDashboard = route({
  method: 'DELETE',
  path: '/v1/dashboards/{dashboardId}',
  policy: 'write',
  tag,
  summary: 'Delete a dashboard with its keys and incidents',
  params,
  answers: { 204: null },
  refusals,
})

export const listDashboardKeys = route({
  method: 'GET',
  path: '/v1/dashboards/{dashboardId}/keys',
  policy: 'read',
  tag,
  summary: 'List the keys that open a private dashboard',
  params,
  answers: { 200: Type.Array(PageKey) },
  refusals,
})

export const createDashboardKey = route({
  method: 'POST',
  path: '/v1/dashboards/{dashboardId}/keys',
  policy: 'write',
  tag,
  summary: 'Create a further key; a dashboard has ten at most',
  params,
  answers: { 201: PageKey },
  refusals: { ...refusals, 409: 'There are ten keys already.' },
})

export const deleteDashboardKey = route({
  method: 'DELETE',
  path: '/v1/dashboards/{dashboardId}/keys/{keyId}',
  policy: 'write',
  tag,
  summary: 'Delete a key; it opens the dashboard no more',
  params: Type.Object({ dashboardId: DashboardId, keyId: Uuid }),
  answers: { 204: null },
  refusals,
})

const incidentTag = 'Dashboard incidents'
const incidentParams = Type.Object({ id: Uuid })
const updateParams = Type.Object({ incidentId: Uuid, id: Uuid })
const incidentRefusals = { 404: 'No such incident in this account.' }

export const listDashboardIncidents = route({
  method: 'GET',
  path: '/v1/incidents',
  policy: 'read',
  tag: incidentTag,
  summary: 'List the incidents of dashboards with all updates, newest first',
  query: Type.Object({ ...PageQuery, dashboardId: Type.Optional(NumericId) }),
  answers: { 200: Type.Array(DashboardIncident) },
})

export const createDashboardIncident = route({
  method: 'POST',
  path: '/v1/incidents',
  policy: 'write',
  tag: incidentTag,
  summary: 'Announce an incident on a dashboard',
  body: DashboardIncidentCreate,
  answers: { 200: DashboardIncident },
  refusals: { 404: 'No such dashboard in this account.' },
})

export const getDashboardIncident = route({
  method: 'GET',
  path: '/v1/incidents/{id}',
  policy: 'read',
  tag: incidentTag,
  summary: 'Get an incident of a dashboard with its newest update, or all',
  params: incidentParams,
  query: Type.Object({ includeAllIncidentUpdates: BooleanQuery }),
  answers: { 200: DashboardIncident },
  refusals: incidentRefusals,
})

export const updateDashboardIncident = route({
  method: 'PUT',
  path: '/v1/incidents/{id}',
  policy: 'write',
  tag: incidentTag,
  summary: 'Update an incident of a dashboard',
  params: incidentParams,
  body: DashboardIncidentChange,
  answers: { 200: DashboardIncident },
  refusals: incidentRefusals,
})

export const deleteDashboardIncident = route({
  method: 'DELETE',
  path: '/v1/incidents/{id}',
  policy: 'write',
  tag: incidentTag,
  summary: 'Delete an incident of a dashboard with its updates',
  params: incidentParams,
  answers: { 204: null },
  refusals: incidentRefusals,
})

export const addDashboardIncidentUpdate = route({
  method: 'POST',
  path: '/v1/incidents/{incidentId}/updates',
  policy: 'write',
  tag: incidentTag,
  summary: 'Say what is new of an incident; answers all updates, newest first',
  params: Type.Object({ incidentId: Uuid }),
  body: DashboardIncidentUpdateCreate,
  answers: { 200: Type.Array(DashboardIncidentUpdate) },
  refusals: incidentRefusals,
})

export const changeDashboardIncidentUpdate = route({
  method: 'PUT',
  path: '/v1/incidents/{incidentId}/updates/{id}',
  policy: 'write',
  tag: incidentTag,
  summary: 'Correct the text of an update',
  params: updateParams,
  body: DashboardIncidentUpdateChange,
  answers: { 200: DashboardIncidentUpdate },
  refusals: { 404: 'No such update.' },
})

export const deleteDashboardIncidentUpdate = route({
  method: 'DELETE',
  path: '/v1/incidents/{incidentId}/updates/{id}',
  policy: 'write',
  tag: incidentTag,
  summary: 'Delete an update',
  params: updateParams,
  answers: { 204: null },
  refusals: { 404: 'No such update.' },
})
