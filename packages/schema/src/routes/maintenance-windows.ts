import Type from 'typebox'
import { MaintenanceWindow, MaintenanceWindowCreate, MaintenanceWindowUpdate } from '../maintenance-window.ts'
import { PageQuery, route } from '../route.ts'
import { NumericId } from '../shape.ts'

const tag = 'Maintenance windows'
const params = Type.Object({ id: NumericId })
const refusals = { 404: 'No such maintenance window in this account.' }

const bound = Type.Optional(Type.String({ maxLength: 40 }))
const DateFilter = Type.Optional(
  Type.Object(
    { gt: bound, gte: bound, lt: bound, lte: bound },
    {
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
      description: 'Exactly one bound, an ISO 8601 date or timestamp: `startsAt[gte]=2026-01-01`.',
    },
  ),
)

export const listMaintenanceWindows = route({
  method: 'GET',
  path: '/v1/maintenance-windows',
  policy: 'read',
  tag,
  summary: 'List maintenance windows',
  query: Type.Object({ ...PageQuery, startsAt: DateFilter, endsAt: DateFilter }),
  answers: { 200: Type.Array(MaintenanceWindow) },
})

export const createMaintenanceWindow = route({
  method: 'POST',
  path: '/v1/maintenance-windows',
  policy: 'write',
  tag,
  summary: 'Create a maintenance window',
  description: 'While it lasts, checks with one of its tags do not run by themselves; whoever asks for a run gets one.',
  body: MaintenanceWindowCreate,
  answers: { 201: MaintenanceWindow },
})

export const getMaintenanceWindow = route({
  method: 'GET',
  path: '/v1/maintenance-windows/{id}',
  policy: 'read',
  tag,
  summary: 'Get a maintenance window',
  params,
  answers: { 200: MaintenanceWindow },
  refusals,
})

export const updateMaintenanceWindow = route({
  method: 'PUT',
  path: '/v1/maintenance-windows/{id}',
  policy: 'write',
  tag,
  summary: 'Update a maintenance window',
  params,
  body: MaintenanceWindowUpdate,
  answers: { 200: MaintenanceWindow },
  refusals,
})

export const deleteMaintenanceWindow = route({
  method: 'DELETE',
  path: '/v1/maintenance-windows/{id}',
  policy: 'write',
  tag,
  summary: 'Delete a maintenance window',
  params,
  answers: { 204: null },
  refusals,
})
