/** Times in which checks do not run by themselves. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, NumericId } from './shape.ts'

export const REPEAT_UNITS = ['DAY', 'WEEK', 'MONTH'] as const
export type RepeatUnit = (typeof REPEAT_UNITS)[number]

const Day = Type.String({
  maxLength: 40,
  description: 'An ISO 8601 timestamp with its offset from UTC, or a date, which begins at midnight UTC.',
  examples: ['2026-01-10T22:00:00.000Z'],
})

const optionalFields = {
  description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }), { default: null })),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 100,
      default: [],
      description: 'It applies to checks that have one of these tags, themselves or by their group.',
    }),
  ),
  pauseAllChecks: Type.Optional(Type.Boolean({ default: false, description: 'It applies to all checks.' })),
  repeatUnit: Type.Optional(
    // Older clients write an empty text for a window that does not recur.
    Nullable(Type.Enum([...REPEAT_UNITS, '']), { default: null, description: 'Null: it does not recur.' }),
  ),
  repeatInterval: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 365 }), {
      default: null,
      description: 'Every so many units, counted from the first occurrence.',
    }),
  ),
  repeatEndsAt: Type.Optional(
    Nullable(Day, { default: null, description: 'The last day on which an occurrence may begin.' }),
  ),
  timezone: Type.Optional(
    Nullable(Type.String({ maxLength: 100 }), {
      default: null,
      description: 'Occurrences keep the wall clock’s time of this IANA time zone; null: UTC.',
      examples: ['Europe/Berlin'],
    }),
  ),
}

const name = Type.String({ minLength: 1, maxLength: 200 })

export const MaintenanceWindowCreate = Type.Object({ name, startsAt: Day, endsAt: Day, ...optionalFields })
export type MaintenanceWindowCreate = Static<typeof MaintenanceWindowCreate>

export const MaintenanceWindowUpdate = Type.Object({
  name: Type.Optional(name),
  startsAt: Type.Optional(Day),
  endsAt: Type.Optional(Day),
  ...optionalFields,
})
export type MaintenanceWindowUpdate = Static<typeof MaintenanceWindowUpdate>

export const MaintenanceWindow = Type.Object({
  id: NumericId,
  name: Type.String(),
  description: Nullable(Type.String()),
  startsAt: DateTime,
  endsAt: DateTime,
  repeatUnit: Nullable(Type.Enum(REPEAT_UNITS)),
  repeatInterval: Nullable(Type.Integer()),
  repeatEndsAt: Nullable(DateTime),
  timezone: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  pauseAllChecks: Type.Boolean(),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type MaintenanceWindow = Static<typeof MaintenanceWindow>
