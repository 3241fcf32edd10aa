/** What came of a heartbeat: pings, and the moments at which one was missing. */
import Type, { type Static } from 'typebox'
import { HEARTBEAT_UNITS, HeartbeatSchedule } from './kinds/heartbeat.ts'
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
  error: Nullable(Type.String({ description: 'Why it is FAILING.' })),
  exitCode: Nullable(Type.Integer({ description: 'What the job said it ended with.' })),
  duration: Nullable(Type.Number({ description: 'Milliseconds since the job said that it began.' })),
  body: Nullable(Type.String({ description: 'What the job sent along.' })),
})
export type HeartbeatEvent = Static<typeof HeartbeatEvent>

const ratio = Nullable(Type.Number({ description: 'Percentage of pings among pings and missing ones.' }))
export const HeartbeatAvailability = Type.Object({
  successRatio: Type.Object({ previousPeriod: ratio, currentPeriod: ratio }),
  totalEntitiesCurrentPeriod: Type.Integer(),
})
export type HeartbeatAvailability = Static<typeof HeartbeatAvailability>

export const HeartbeatTimer = Type.Object({
  lastPingAt: Nullable(DateTime, { description: 'The last one that told of success.' }),
  jobStartedAt: Nullable(DateTime, { description: 'Of a job that has not said how it ended.' }),
  dueAt: Nullable(DateTime, { description: 'When the next ping is expected; null before the first one.' }),
  deadlineAt: Nullable(DateTime, { description: 'When its absence becomes a failure.' }),
  heldUntil: Nullable(DateTime, { description: 'While maintenance holds the timer: its end.' }),
})
export type HeartbeatTimer = Static<typeof HeartbeatTimer>

export const HeartbeatSuggestion = Type.Object({
  heartbeat: Type.Object({
    period: Type.Number(),
    periodUnit: Type.Enum(HEARTBEAT_UNITS),
    grace: Type.Number(),
    graceUnit: Type.Enum(HEARTBEAT_UNITS),
    schedule: Nullable(HeartbeatSchedule),
  }),
  changes: Type.Enum(['period', 'grace', 'timezone'], { description: 'What is other than it was set.' }),
  pings: Type.Integer({ description: 'How many of the latest ones were looked at.' }),
  fitsAsSet: Type.Integer({ description: 'Percentage of them that came as it is set.' }),
  fitsAsSuggested: Type.Integer({ description: 'Percentage of them that came as is suggested.' }),
})
export type HeartbeatSuggestion = Static<typeof HeartbeatSuggestion>

export const HeartbeatStats = Type.Object({
  last24Hours: Nullable(HeartbeatAvailability),
  last7Days: Nullable(HeartbeatAvailability),
})
export type HeartbeatStats = Static<typeof HeartbeatStats>
