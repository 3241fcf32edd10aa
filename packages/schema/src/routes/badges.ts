import Type from 'typebox'
import { BadgeQuery } from '../badge.ts'
import { route } from '../route.ts'
import { NumericId, Uuid } from '../shape.ts'

const common = {
  method: 'GET',
  policy: 'public',
  tag: 'Badges',
  query: BadgeQuery,
  media: 'image/svg+xml',
  answers: { 200: Type.String() },
} as const

export const getCheckBadge = route({
  ...common,
  path: '/v1/badges/checks/{checkId}',
  summary: 'Get a picture of how a check is doing',
  params: Type.Object({ checkId: Uuid }),
  refusals: { 404: 'No such check, or its account shows no badges.' },
})

export const getGroupBadge = route({
  ...common,
  path: '/v1/badges/groups/{groupId}',
  summary: 'Get a picture of how the worst check of a group is doing',
  params: Type.Object({ groupId: NumericId }),
  refusals: { 404: 'No such group, or its account shows no badges.' },
})
