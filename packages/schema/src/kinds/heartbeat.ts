/** The heartbeat: nobody runs it; a job pings it, and silence is the failure. */
import Type, { type Static } from 'typebox'
import { commonAnswer, commonFields } from '../check.ts'
import { Nullable, Uuid } from '../shape.ts'

export const HEARTBEAT_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const
export type HeartbeatUnit = (typeof HEARTBEAT_UNITS)[number]

export const HeartbeatSchedule = Type.Object({
  cron: Type.String({
    maxLength: 200,
    description: 'Minute, hour, day of the month, month, day of the week.',
    examples: ['0 3 * * *'],
  }),
  timezone: Type.String({ maxLength: 60, description: 'IANA name.', examples: ['Europe/Berlin'] }),
})
export type HeartbeatSchedule = Static<typeof HeartbeatSchedule>
const schedule = Nullable(HeartbeatSchedule, {
  description: 'When pings are expected instead of every so often: the period does not count then, the grace does.',
})

export const HeartbeatSettings = Type.Object({
  period: Type.Number({ minimum: 0, description: 'The time between pings: 30 seconds to 365 days.' }),
  periodUnit: Type.Enum(HEARTBEAT_UNITS),
  grace: Type.Number({ minimum: 0, description: 'The time to wait for a late ping: up to 365 days.' }),
  graceUnit: Type.Enum(HEARTBEAT_UNITS),
  schedule: Type.Optional(schedule),
  pingToken: Type.Optional(Nullable(Uuid, { description: 'Made by the server unless given.' })),
})
export type HeartbeatSettings = Static<typeof HeartbeatSettings>

export const HeartbeatCheckCreate = Type.Object({ ...commonFields, heartbeat: HeartbeatSettings })
export type HeartbeatCheckCreate = Static<typeof HeartbeatCheckCreate>

/** Absent fields keep what is stored. */
export const HeartbeatCheckUpdate = Type.Partial(HeartbeatCheckCreate)

export const HeartbeatCheck = Type.Object({
  ...commonAnswer,
  checkType: Type.Literal('HEARTBEAT'),
  heartbeat: Type.Object({
    period: Type.Number(),
    periodUnit: Type.Enum(HEARTBEAT_UNITS),
    grace: Type.Number(),
    graceUnit: Type.Enum(HEARTBEAT_UNITS),
    schedule: Type.Optional(schedule),
    pingToken: Nullable(Uuid, { description: 'Null for readers without write access: who knows it can ping.' }),
    pingUrl: Nullable(Type.String({ description: 'Where to ping.' })),
  }),
})
export type HeartbeatCheck = Static<typeof HeartbeatCheck>
