import Type from 'typebox'
import { CheckSession, SessionTrigger } from '../check-session.ts'
import { route } from '../route.ts'
import { Uuid } from '../shape.ts'

const tag = 'Check sessions'
const params = Type.Object({ checkSessionId: Uuid })

export const triggerSessions = route({
  method: 'POST',
  path: '/v1/check-sessions/trigger',
  policy: 'run',
  tag,
  summary: 'Run checks now',
  description: 'Starts a session for every activated check that matches; without a target, for all.',
  body: SessionTrigger,
  bodyOptional: true,
  answers: { 201: Type.Object({ sessions: Type.Array(CheckSession) }) },
  refusals: { 404: 'No activated check matches.' },
})

export const getSession = route({
  method: 'GET',
  path: '/v1/check-sessions/{checkSessionId}',
  policy: 'read',
  tag,
  summary: 'Get the present state of a session',
  params,
  answers: { 200: CheckSession },
  refusals: { 404: 'No such session.' },
})

export const awaitSession = route({
  method: 'GET',
  path: '/v1/check-sessions/{checkSessionId}/completion',
  policy: 'read',
  tag,
  summary: 'Wait until a session has ended',
  params,
  query: Type.Object({ maxWaitSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 30, default: 30 })) }),
  answers: { 200: CheckSession },
  refusals: { 404: 'No such session.', 408: 'Still running: ask again after `Retry-After` seconds.' },
})
