import Type from 'typebox'
import { ErrorGroup, ErrorGroupCounts, ErrorGroupUpdate } from '../error-group.ts'
import { InstantQuery, PageQuery, route } from '../route.ts'
import { Uuid } from '../shape.ts'

const tag = 'Error groups'

export const listAllErrorGroups = route({
  method: 'GET',
  path: '/v1/error-groups',
  policy: 'read',
  tag,
  summary: 'List the error groups of all checks, the latest seen first',
  query: Type.Object(PageQuery),
  answers: { 200: Type.Array(ErrorGroup) },
})

export const listErrorGroups = route({
  method: 'GET',
  path: '/v1/error-groups/checks/{checkId}',
  policy: 'read',
  tag,
  summary: 'List the error groups of a check, except those archived for ever',
  params: Type.Object({ checkId: Uuid }),
  answers: { 200: Type.Array(ErrorGroup) },
  refusals: { 404: 'No such check in this account.' },
})

export const countErrorGroups = route({
  method: 'GET',
  path: '/v1/error-groups/checks/{checkId}/counts',
  policy: 'read',
  tag,
  summary: 'Count how often the error groups of a check were seen, day by day',
  description:
    'Attempts count as well as final results. Days are those of UTC; one that the window touches counts as a whole. The last 14 days unless `from` or `to` say otherwise, at most 366. Counts are kept as long as results.',
  params: Type.Object({ checkId: Uuid }),
  query: Type.Object({ from: InstantQuery, to: InstantQuery }),
  answers: { 200: Type.Array(ErrorGroupCounts) },
  refusals: { 404: 'No such check in this account.' },
})

export const getErrorGroup = route({
  method: 'GET',
  path: '/v1/error-groups/{id}',
  policy: 'read',
  tag,
  summary: 'Get an error group',
  params: Type.Object({ id: Uuid }),
  answers: { 200: ErrorGroup },
  refusals: { 404: 'No such error group.' },
})

export const updateErrorGroup = route({
  method: 'PATCH',
  path: '/v1/error-groups/{id}',
  policy: 'write',
  tag,
  summary: 'Archive an error group',
  params: Type.Object({ id: Uuid }),
  body: ErrorGroupUpdate,
  answers: { 200: ErrorGroup },
  refusals: { 404: 'No such error group.' },
})
