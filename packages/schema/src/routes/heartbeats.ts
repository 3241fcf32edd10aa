import Type from 'typebox'
import { HeartbeatAvailability, HeartbeatEvent, HeartbeatStats } from '../heartbeat-event.ts'
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

const Pong = Type.Object({ ok: Type.Boolean() })
const pings = <const M extends 'GET' | 'POST', const P extends string>(method: M, path: P) =>
  ({
    method,
    path,
    policy: 'token',
    tag,
    summary: 'Say that the job is alive',
    params: Type.Object({ pingToken: Uuid }),
    answers: { 200: Pong },
    refusals: { 404: 'No heartbeat has this token.', 405: 'Only GET and POST ping.' },
  }) as const
export const ping = route(pings('GET', '/ping/{pingToken}'))
export const pingByPost = route(pings('POST', '/ping/{pingToken}'))
export const pingOlder = route(pings('GET', '/heartbeats/ping/{pingToken}'))
export const pingOlderByPost = route(pings('POST', '/heartbeats/ping/{pingToken}'))
