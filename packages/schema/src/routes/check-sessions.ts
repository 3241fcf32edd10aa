import Type, { type TSchema } from 'typebox'
import { CheckSession, CheckSessionV2, SessionTrigger, SessionTriggerV2 } from '../check-session.ts'
import { route } from '../route.ts'
import { Uuid } from '../shape.ts'

const tag = 'Check sessions'
const params = Type.Object({ checkSessionId: Uuid })
const refusals = { 404: 'No such check session.' }

const triggers = <const P extends string, B extends TSchema, S extends TSchema>(path: P, body: B, session: S) =>
  ({
    method: 'POST',
    path,
    policy: 'run',
    tag,
    summary: 'Run checks now',
    description: 'Starts a session for every activated check that matches; without a target, for all.',
    body,
    bodyOptional: true,
    answers: { 201: Type.Object({ sessions: Type.Array(session) }) },
    refusals: { 404: 'No activated check matches.' },
  }) as const
export const triggerSessions = route(triggers('/v1/check-sessions/trigger', SessionTrigger, CheckSession))
export const triggerSessionsV2 = route(triggers('/v2/check-sessions/trigger', SessionTriggerV2, CheckSessionV2))

const gets = <const P extends string, S extends TSchema>(path: P, session: S) =>
  ({
    method: 'GET',
    path,
    policy: 'read',
    tag,
    summary: 'Get the present state of a session',
    params,
    answers: { 200: session },
    refusals,
  }) as const
export const getSession = route(gets('/v1/check-sessions/{checkSessionId}', CheckSession))
export const getSessionV2 = route(gets('/v2/check-sessions/{checkSessionId}', CheckSessionV2))

const awaits = <const P extends string, S extends TSchema>(path: P, session: S) =>
  ({
    method: 'GET',
    path,
    policy: 'read',
    tag,
    summary: 'Wait until a session has ended',
    params,
    query: Type.Object({ maxWaitSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 30, default: 30 })) }),
    answers: { 200: session },
    refusals: { ...refusals, 408: 'Still running: ask again after `Retry-After` seconds.' },
  }) as const
export const awaitSession = route(awaits('/v1/check-sessions/{checkSessionId}/completion', CheckSession))
export const awaitSessionV2 = route(awaits('/v2/check-sessions/{checkSessionId}/completion', CheckSessionV2))

export const cancelSession = route({
  method: 'POST',
  path: '/v1/check-sessions/{checkSessionId}/cancel',
  policy: 'run',
  tag,
  summary: 'Cancel a session: what has not ended yet is dropped',
  params,
  answers: { 204: null },
  refusals,
})
