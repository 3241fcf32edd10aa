/** How the monitor itself is doing. */
import Type, { type Static } from 'typebox'
import { Isolation } from './isolation.ts'
import { DateTime, Nullable } from './shape.ts'

export const Health = Type.Object({
  status: Type.Enum(['ok', 'degraded', 'down']),
  version: Type.String(),
  database: Type.Enum(['ok', 'down']),
})
export type Health = Static<typeof Health>

const figure = Nullable(Type.Number())

/** Figures of the last `windowMinutes`, for operators. */
export const Operations = Type.Object({
  windowMinutes: Type.Integer(),
  lateness: Type.Object(
    { p50Ms: figure, p99Ms: figure },
    { description: 'How late runs started after their due time. Null without runs.' },
  ),
  coverage: Type.Object(
    { done: Type.Integer(), missed: Type.Integer(), ratio: figure },
    { description: 'Runs done ÷ runs due.' },
  ),
  runs: Type.Object({
    perSecond: Type.Number(),
    inError: Type.Integer({ description: 'Runs that ended in trouble of our own.' }),
    leased: Type.Integer(),
    overdue: Type.Integer(),
    oldestOverdueMs: figure,
  }),
  notifications: Type.Object({
    waiting: Type.Integer(),
    oldestWaitingMs: figure,
    failedLastHour: Type.Integer(),
  }),
  runners: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      builtIn: Type.Boolean(),
      locations: Type.Array(Type.String()),
      lastSeenAt: DateTime,
      alive: Type.Boolean(),
      trouble: Nullable(Type.String({ description: 'What keeps the runner from judging targets now.' })),
      controls: Type.Array(Type.String(), {
        description: 'What it asks to find out whether its own network and name server are well; empty: nothing.',
      }),
      quarantinedSince: Nullable(DateTime, {
        description: 'Set while its controls do not answer: what it finds is not believed.',
      }),
      isolation: Nullable(Isolation, {
        description: 'How it keeps scripts apart from its machine. Null: it has not said.',
      }),
    }),
  ),
  missed: Type.Array(
    Type.Object({
      checkId: Type.String(),
      name: Type.String(),
      location: Type.String(),
      slotAt: DateTime,
      count: Type.Integer(),
      reason: Type.String(),
    }),
  ),
})
export type Operations = Static<typeof Operations>
