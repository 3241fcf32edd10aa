import Type from 'typebox'
import { CheckOverview, CheckSummary, ResponseTimePoint } from '../check-overview.ts'
import { ApiCheck, ApiCheckCreate, ApiCheckUpdate } from '../kinds/api.ts'
import { BooleanQuery, PageQuery, route } from '../route.ts'
import { Nullable, Uuid } from '../shape.ts'

const tag = 'Checks'
const AutoAssign = Type.Object({
  autoAssignAlerts: Type.Optional(
    Type.Boolean({ default: true, description: 'Subscribe a newly created check to all existing alert channels.' }),
  ),
})
const CheckId = Type.Object({ id: Uuid })

export const listChecks = route({
  method: 'GET',
  path: '/v1/checks',
  policy: 'read',
  tag,
  summary: 'List checks',
  query: Type.Object({
    ...PageQuery,
    tag: Type.Optional(Type.Array(Type.String())),
    apiCheckUrlFilterPattern: Type.Optional(Type.String({ minLength: 1, description: 'Part of an API check’s URL.' })),
    search: Type.Optional(Type.String({ description: 'Part of the name, in any case.' })),
    status: Type.Optional(Type.Enum(['passing', 'failing', 'degraded'])),
    applyGroupSettings: BooleanQuery,
  }),
  answers: { 200: Type.Array(ApiCheck) },
})

export const getCheck = route({
  method: 'GET',
  path: '/v1/checks/{id}',
  policy: 'read',
  tag,
  summary: 'Get a check',
  params: CheckId,
  query: Type.Object({ includeDependencies: BooleanQuery, applyGroupSettings: BooleanQuery }),
  answers: { 200: ApiCheck },
  refusals: { 404: 'No such check in this account.' },
})

export const deleteCheck = route({
  method: 'DELETE',
  path: '/v1/checks/{id}',
  policy: 'write',
  tag,
  summary: 'Delete a check with its results, status and subscriptions',
  params: CheckId,
  answers: { 204: null },
  refusals: { 404: 'No such check in this account.' },
})

export const createApiCheck = route({
  method: 'POST',
  path: '/v1/checks/api',
  policy: 'write',
  tag,
  summary: 'Create an API check',
  query: AutoAssign,
  body: ApiCheckCreate,
  answers: { 201: ApiCheck },
})

export const updateApiCheck = route({
  method: 'PUT',
  path: '/v1/checks/api/{id}',
  policy: 'write',
  tag,
  summary: 'Update an API check; absent fields keep their value',
  params: CheckId,
  query: AutoAssign,
  body: ApiCheckUpdate,
  answers: { 200: ApiCheck },
  refusals: { 404: 'No such API check in this account.' },
})

export const overviewChecks = route({
  method: 'GET',
  path: '/v1/check-overviews',
  policy: 'read',
  tag,
  summary: 'List checks with their state and newest runs',
  description: 'What the list of checks shows, in one call. The worst states come first, then by name.',
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(Type.String()),
    tag: Type.Optional(Type.Array(Type.String())),
    checkId: Type.Optional(Uuid),
    state: Type.Optional(Type.Enum(['passing', 'degraded', 'failing', 'unknown', 'paused'])),
    runs: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 30 })),
  }),
  answers: { 200: Type.Array(CheckOverview) },
})

export const summariseChecks = route({
  method: 'GET',
  path: '/v1/check-overviews/summary',
  policy: 'read',
  tag,
  summary: 'Count the checks by state',
  answers: { 200: CheckSummary },
})

export const checkTimeline = route({
  method: 'GET',
  path: '/v1/checks/{id}/timeline',
  policy: 'read',
  tag,
  summary: 'The response times of a check’s latest runs, oldest first',
  params: CheckId,
  query: Type.Object({
    hours: Type.Optional(Type.Number({ minimum: 0.1, maximum: 720, default: 24 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: 1500 })),
  }),
  answers: {
    200: Type.Object({
      points: Type.Array(ResponseTimePoint),
      missed: Type.Array(
        Type.Object({ at: Type.String(), location: Type.String(), count: Type.Integer(), reason: Type.String() }),
      ),
      availability: Nullable(
        Type.Number({ description: 'Percentage of runs that did not fail; runs in error left out.' }),
      ),
    }),
  },
  refusals: { 404: 'No such check in this account.' },
})
