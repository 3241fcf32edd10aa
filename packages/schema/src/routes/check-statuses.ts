import Type from 'typebox'
import { CheckStatus } from '../check-status.ts'
import { route } from '../route.ts'
import { Uuid } from '../shape.ts'

const tag = 'Check statuses'

export const listCheckStatuses = route({
  method: 'GET',
  path: '/v1/check-statuses',
  policy: 'read',
  tag,
  summary: 'List how all checks are doing',
  answers: { 200: Type.Array(CheckStatus) },
})

export const getCheckStatus = route({
  method: 'GET',
  path: '/v1/check-statuses/{checkId}',
  policy: 'read',
  tag,
  summary: 'Get how a check is doing',
  params: Type.Object({ checkId: Uuid }),
  answers: { 200: CheckStatus },
  refusals: { 404: 'No such check in this account.' },
})
