import Type from 'typebox'
import {
  CheckGroup,
  CheckGroupV1Create,
  CheckGroupV1Update,
  CheckGroupV2Create,
  CheckGroupV2Update,
} from '../check-group.ts'
import { Check } from '../kinds/index.ts'
import { PageQuery, route } from '../route.ts'
import { NumericId, Uuid } from '../shape.ts'

const tag = 'Check groups'
const params = Type.Object({ id: NumericId })
const refusals = { 404: 'No such group in this account.' }
const AutoAssign = Type.Object({
  autoAssignAlerts: Type.Optional(
    Type.Boolean({ default: true, description: 'Subscribe a newly created group to all existing alert channels.' }),
  ),
})

export const listCheckGroups = route({
  method: 'GET',
  path: '/v1/check-groups',
  policy: 'read',
  tag,
  summary: 'List check groups',
  query: Type.Object({
    ...PageQuery,
    tag: Type.Optional(Type.Array(Type.String(), { description: 'Groups that have any of these tags.' })),
    name: Type.Optional(Type.Array(Type.String(), { description: 'Groups with any of these names, whole.' })),
  }),
  answers: { 200: Type.Array(CheckGroup) },
})

export const createCheckGroupV1 = route({
  method: 'POST',
  path: '/v1/check-groups',
  policy: 'write',
  tag,
  summary: 'Create a group that always overrides its checks',
  deprecated: true,
  query: AutoAssign,
  body: CheckGroupV1Create,
  answers: { 201: CheckGroup },
})

export const createCheckGroup = route({
  method: 'POST',
  path: '/v2/check-groups',
  policy: 'write',
  tag,
  summary: 'Create a group that overrides its checks where it has an opinion',
  query: AutoAssign,
  body: CheckGroupV2Create,
  answers: { 201: CheckGroup },
})

export const getCheckGroup = route({
  method: 'GET',
  path: '/v1/check-groups/{id}',
  policy: 'read',
  tag,
  kept: true,
  summary: 'Get a check group',
  params,
  answers: { 200: CheckGroup },
  refusals,
})

export const updateCheckGroupV1 = route({
  method: 'PUT',
  path: '/v1/check-groups/{id}',
  policy: 'write',
  tag,
  summary: 'Update a group; absent fields keep their value',
  deprecated: true,
  params,
  query: AutoAssign,
  body: CheckGroupV1Update,
  answers: { 200: CheckGroup },
  refusals,
})

export const updateCheckGroup = route({
  method: 'PUT',
  path: '/v2/check-groups/{id}',
  policy: 'write',
  tag,
  summary: 'Update a group; from then on it overrides where it has an opinion',
  params,
  query: AutoAssign,
  body: CheckGroupV2Update,
  answers: { 200: CheckGroup },
  refusals,
})

export const deleteCheckGroup = route({
  method: 'DELETE',
  path: '/v1/check-groups/{id}',
  policy: 'write',
  tag,
  summary: 'Delete a group without checks',
  params,
  answers: { 204: null },
  refusals: { ...refusals, 409: 'It still has checks.' },
})

const listMembers = <const P extends string>(path: P) =>
  ({
    method: 'GET',
    path,
    policy: 'read',
    tag,
    summary: 'List the checks of a group with the settings of the group applied',
    params,
    query: Type.Object(PageQuery),
    answers: { 200: Type.Array(Check) },
    refusals,
  }) as const
export const listGroupChecks = route(listMembers('/v1/check-groups/{id}/checks'))
export const listGroupChecksV2 = route(listMembers('/v2/check-groups/{id}/checks'))

const getMember = <const P extends string>(path: P) =>
  ({
    method: 'GET',
    path,
    policy: 'read',
    tag,
    summary: 'Get a check of a group with the settings of the group applied',
    params: Type.Object({ groupId: NumericId, checkId: Uuid }),
    answers: { 200: Check },
    refusals: { 404: 'No such group, or the check is not in it.' },
  }) as const
export const getGroupCheck = route(getMember('/v1/check-groups/{groupId}/checks/{checkId}'))
export const getGroupCheckV2 = route(getMember('/v2/check-groups/{groupId}/checks/{checkId}'))
