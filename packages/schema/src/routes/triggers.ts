import Type from 'typebox'
import { CheckTrigger, GroupTrigger, GroupTriggerOutcome, TriggerOutcome } from '../check-trigger.ts'
import { DataCenter } from '../location.ts'
import { route } from '../route.ts'
import { NumericId, Uuid } from '../shape.ts'

const tag = 'Triggers'
const ofCheck = Type.Object({ checkId: Uuid })
const ofGroup = Type.Object({ groupId: NumericId })

export const getCheckTrigger = route({
  method: 'GET',
  path: '/v1/triggers/checks/{checkId}',
  policy: 'read',
  tag,
  summary: 'Get the trigger of a check',
  deprecated: true,
  params: ofCheck,
  answers: { 200: CheckTrigger },
  refusals: { 404: 'No such check, or it has no trigger.' },
})

export const createCheckTrigger = route({
  method: 'POST',
  path: '/v1/triggers/checks/{checkId}',
  policy: 'write',
  tag,
  summary: 'Make a trigger for a check, or get the one that is there',
  deprecated: true,
  params: ofCheck,
  answers: { 201: CheckTrigger },
  refusals: { 404: 'No such check in this account.' },
})

export const deleteCheckTrigger = route({
  method: 'DELETE',
  path: '/v1/triggers/checks/{checkId}',
  policy: 'write',
  tag,
  summary: 'Delete the trigger of a check; its URL stops working at once',
  deprecated: true,
  params: ofCheck,
  answers: { 204: null },
  refusals: { 404: 'No such check, or it has no trigger.' },
})

export const getGroupTrigger = route({
  method: 'GET',
  path: '/v1/triggers/check-groups/{groupId}',
  policy: 'read',
  tag,
  summary: 'Get the trigger of a group',
  deprecated: true,
  params: ofGroup,
  answers: { 200: GroupTrigger },
  refusals: { 404: 'No such group, or it has no trigger.' },
})

export const createGroupTrigger = route({
  method: 'POST',
  path: '/v1/triggers/check-groups/{groupId}',
  policy: 'write',
  tag,
  summary: 'Make a trigger for a group, or get the one that is there',
  deprecated: true,
  params: ofGroup,
  answers: { 201: GroupTrigger },
  refusals: { 404: 'No such group in this account.' },
})

export const deleteGroupTrigger = route({
  method: 'DELETE',
  path: '/v1/triggers/check-groups/{groupId}',
  policy: 'write',
  tag,
  summary: 'Delete the trigger of a group; its URL stops working at once',
  deprecated: true,
  params: ofGroup,
  answers: { 204: null },
  refusals: { 404: 'No such group, or it has no trigger.' },
})

const deployment = Type.Object({
  runLocation: Type.Optional(
    Type.Union([DataCenter, Type.String({ maxLength: 30 })], { description: 'Where to run.' }),
  ),
  environmentUrl: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        'API and URL checks ask this host instead of their own. Locked values and credentials are not sent there.',
    }),
  ),
  environmentName: Type.Optional(
    Type.String({ maxLength: 255, description: 'What templates and scripts see as ENVIRONMENT_NAME.' }),
  ),
  deployment: Type.Optional(Type.Boolean()),
  deploymentId: Type.Optional(Type.String({ maxLength: 255 })),
  repository: Type.Optional(Type.String({ maxLength: 255 })),
  sha: Type.Optional(Type.String({ maxLength: 255 })),
})
const rate = { requests: 10, seconds: 60 }
const refusals = { 404: 'The token is wrong.', 405: 'Only GET and POST run it.' }

const runsCheck = <const M extends 'GET' | 'POST', const P extends string>(method: M, path: P) =>
  ({
    method,
    path,
    policy: 'token',
    tag,
    summary: 'Run the check now and wait for its outcome: 200 when it passed, 503 when it failed',
    description: 'Waits 30 seconds at most. The result counts like any other. Failed attempts are not repeated.',
    params: Type.Object({ checkId: Uuid, token: Type.String({ maxLength: 100 }) }),
    query: deployment,
    rate,
    answers: { 200: TriggerOutcome, 503: TriggerOutcome },
    refusals,
  }) as const
export const callCheckTrigger = route(runsCheck('GET', '/checks/{checkId}/trigger/{token}'))
export const callCheckTriggerByPost = route(runsCheck('POST', '/checks/{checkId}/trigger/{token}'))
export const callCheckTriggerV1 = route(runsCheck('GET', '/v1/checks/{checkId}/trigger/{token}'))
export const callCheckTriggerV1ByPost = route(runsCheck('POST', '/v1/checks/{checkId}/trigger/{token}'))

const runsGroup = <const M extends 'GET' | 'POST', const P extends string>(method: M, path: P) =>
  ({
    method,
    path,
    policy: 'token',
    tag,
    summary: 'Run all checks of the group now and wait for their outcomes',
    description: 'In the order of the group, as many at once as its concurrency says. Waits 30 seconds at most.',
    params: Type.Object({ groupId: NumericId, token: Type.String({ maxLength: 100 }) }),
    query: deployment,
    rate,
    answers: { 200: GroupTriggerOutcome, 503: GroupTriggerOutcome },
    refusals,
  }) as const
export const callGroupTrigger = route(runsGroup('GET', '/check-groups/{groupId}/trigger/{token}'))
export const callGroupTriggerByPost = route(runsGroup('POST', '/check-groups/{groupId}/trigger/{token}'))
export const callGroupTriggerV1 = route(runsGroup('GET', '/v1/check-groups/{groupId}/trigger/{token}'))
export const callGroupTriggerV1ByPost = route(runsGroup('POST', '/v1/check-groups/{groupId}/trigger/{token}'))
