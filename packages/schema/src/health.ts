/** How the monitor itself is doing. */
import Type, { type Static } from 'typebox'
import { ScriptLoad } from './abilities.ts'
import { Isolation } from './isolation.ts'
import { DateTime, Nullable } from './shape.ts'

export const Health = Type.Object({
  status: Type.Enum(['ok', 'degraded', 'down'], {
    description: 'Degraded: it answers, and has found trouble of its own that operators should look at.',
  }),
  version: Type.String(),
  database: Type.Enum(['ok', 'down']),
})
export type Health = Static<typeof Health>

const figure = Nullable(Type.Number())

export const OWN_TROUBLE_KINDS = [
  'idle-checks',
  'stuck-notifications',
  'failing-channel',
  'growing-queue',
  'wrong-clock',
  'missed-runs',
  'unable-checks',
] as const
export type OwnTroubleKind = (typeof OWN_TROUBLE_KINDS)[number]

/** What the monitor has found out about itself. */
export const SelfWatchReport = Type.Object({
  checkId: Nullable(Type.String(), {
    description: 'The check that tells of it. Null: there is none in this account.',
  }),
  lookedAt: Nullable(DateTime),
  troubles: Type.Array(Type.Object({ kind: Type.Enum([...OWN_TROUBLE_KINDS]), words: Type.String(), since: DateTime })),
  deadMan: Nullable(
    Type.Object({
      lastTakenAt: Nullable(DateTime),
      error: Nullable(Type.String({ description: 'Why the last ping was not taken.' })),
    }),
    { description: 'The place outside that is told that all is well. Null: none is set.' },
  ),
})
export type SelfWatchReport = Static<typeof SelfWatchReport>

/** Figures of the last `windowMinutes`, for operators. */
export const Operations = Type.Object({
  windowMinutes: Type.Integer(),
  selfWatch: SelfWatchReport,
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
      scriptLoad: Nullable(ScriptLoad, { description: 'Null: it has not said.' }),
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
