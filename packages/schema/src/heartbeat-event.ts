/** What came of a heartbeat: pings, and the moments at which one was missing. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, Uuid } from './shape.ts'

export const HEARTBEAT_STATES = ['FAILING', 'EARLY', 'RECEIVED', 'GRACE', 'LATE'] as const
export const HeartbeatState = Type.Enum(HEARTBEAT_STATES)
export type HeartbeatState = Static<typeof HeartbeatState>

export const HeartbeatEvent = Type.Object({
  id: Uuid,
  state: HeartbeatState,
  timestamp: DateTime,
  source: Nullable(Type.String({ description: 'Where the ping came from.' })),
  userAgent: Nullable(Type.String()),
})
export type HeartbeatEvent = Static<typeof HeartbeatEvent>

const ratio = Nullable(Type.Number({ description: 'Percentage of pings among pings and missing ones.' }))
export const HeartbeatAvailability = Type.Object({
  successRatio: Type.Object({ previousPeriod: ratio, currentPeriod: ratio }),
  totalEntitiesCurrentPeriod: Type.Integer(),
})
export type HeartbeatAvailability = Static<typeof HeartbeatAvailability>

export const HeartbeatStats = Type.Object({
  last24Hours: Nullable(HeartbeatAvailability),
  last7Days: Nullable(HeartbeatAvailability),
})
export type HeartbeatStats = Static<typeof HeartbeatStats>
