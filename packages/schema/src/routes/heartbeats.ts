import Type from 'typebox'
import {
  HeartbeatAvailability,
  HeartbeatEvent,
  HeartbeatStats,
  HeartbeatSuggestion,
  HeartbeatTimer,
} from '../heartbeat-event.ts'
import { InstantQuery, route } from '../route.ts'
import { Nullable, Uuid } from '../shape.ts'

const tag = 'Heartbeats'
const params = Type.Object({ checkId: Uuid })
const window = { startTime: InstantQuery, endTime: InstantQuery }
const refusals = { 404: 'No such heartbeat in this account.' }

export const getHeartbeatAvailability = route({
  method: 'GET',
  path: '/v1/checks/heartbeats/{checkId}/availability',
  policy: 'read',
  tag,
  summary: 'Get how many pings came among those expected',
  description: 'The last 24 hours unless told otherwise, compared with as long a time before.',
  params,
  query: Type.Object(window),
  answers: { 200: Nullable(HeartbeatAvailability) },
  refusals,
})

export const listHeartbeatEvents = route({
  method: 'GET',
  path: '/v1/checks/heartbeats/{checkId}/events',
  policy: 'read',
  tag,
  summary: 'List the latest pings and missing pings, newest first',
  params,
  query: Type.Object({
    ...window,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 10 })),
  }),
  answers: { 200: Type.Array(Type.Object({ events: Type.Array(HeartbeatEvent), stats: HeartbeatStats })) },
  refusals,
})

export const getHeartbeatEvent = route({
  method: 'GET',
  path: '/v1/checks/heartbeats/{checkId}/events/{id}',
  policy: 'read',
  tag,
  summary: 'Get one event of a heartbeat',
  params: Type.Object({ checkId: Uuid, id: Uuid }),
  answers: { 200: Type.Object({ event: HeartbeatEvent, stats: HeartbeatStats }) },
  refusals: { 404: 'No such event.' },
})

export const getHeartbeatTimer = route({
  method: 'GET',
  path: '/v1/checks/heartbeats/{checkId}/timer',
  policy: 'read',
  tag,
  summary: 'Get when the next ping is expected',
  params,
  answers: { 200: HeartbeatTimer },
  refusals,
})

export const getHeartbeatSuggestion = route({
  method: 'GET',
  path: '/v1/checks/heartbeats/{checkId}/suggestion',
  policy: 'read',
  tag,
  summary: 'Get the rhythm that fits the latest pings',
  description: 'Null where the pings come as they are expected, are too few, or come without any rhythm.',
  params,
  answers: { 200: Type.Object({ suggestion: Nullable(HeartbeatSuggestion) }) },
  refusals,
})

const Pong = Type.Object({ ok: Type.Boolean() })
const pings = <const M extends 'GET' | 'POST', const P extends string>(method: M, path: P, summary: string) =>
  ({
    method,
    path,
    policy: 'token',
    tag,
    summary,
    description: 'Up to 10 KB of the body, whatever it is, are kept as text with the event.',
    params: Type.Object({ pingToken: Uuid }),
    takesText: true,
    answers: { 200: Pong },
    refusals: { 404: 'No heartbeat has this token.', 405: 'Only GET and POST ping.' },
  }) as const
const ALIVE = 'Say that the job is alive'
export const ping = route(pings('GET', '/ping/{pingToken}', ALIVE))
export const pingByPost = route(pings('POST', '/ping/{pingToken}', ALIVE))
export const pingOlder = route(pings('GET', '/heartbeats/ping/{pingToken}', ALIVE))
export const pingOlderByPost = route(pings('POST', '/heartbeats/ping/{pingToken}', ALIVE))

const BEGINS = 'Say that the job begins: the next ping tells how long it took'
export const pingStart = route(pings('GET', '/ping/{pingToken}/start', BEGINS))
export const pingStartByPost = route(pings('POST', '/ping/{pingToken}/start', BEGINS))

const FAILED = 'Say that the job has failed'
export const pingFail = route(pings('GET', '/ping/{pingToken}/fail', FAILED))
export const pingFailByPost = route(pings('POST', '/ping/{pingToken}/fail', FAILED))

const ENDED = 'Say with which exit code the job has ended: 0 is success'
const exitCode = Type.Integer({ minimum: 0, maximum: 255 })
const withExitCode = { params: Type.Object({ pingToken: Uuid, exitCode }) }
export const pingExitCode = route({ ...pings('GET', '/ping/{pingToken}/{exitCode}', ENDED), ...withExitCode })
export const pingExitCodeByPost = route({ ...pings('POST', '/ping/{pingToken}/{exitCode}', ENDED), ...withExitCode })
