import Type from 'typebox'
import { Acknowledgement, AcknowledgementRequest } from '../acknowledgement.ts'
import { route } from '../route.ts'
import { Uuid } from '../shape.ts'

const common = {
  path: '/v1/checks/{id}/acknowledgement',
  policy: 'run',
  tag: 'Alerts',
  params: Type.Object({ id: Uuid }),
} as const

export const acknowledgeCheck = route({
  ...common,
  method: 'POST',
  summary: 'Say that somebody is on the trouble of a check',
  description:
    'Nobody is reminded of this trouble any more; everything else about it is still told. It is over with the trouble. What was acknowledged before stays as it is, with its note.',
  body: AcknowledgementRequest,
  bodyOptional: true,
  answers: { 200: Acknowledgement },
  refusals: { 404: 'No such check in this account.', 409: 'The check is not in trouble.' },
})

export const withdrawAcknowledgement = route({
  ...common,
  method: 'DELETE',
  summary: 'Take back that somebody is on the trouble of a check',
  description: 'Reminders go on at the times that they would have had.',
  answers: { 204: null },
  refusals: { 404: 'No such check in this account, or nobody has acknowledged its trouble.' },
})
