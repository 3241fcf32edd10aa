/** A run on demand of one check, followed until all its locations have reported. */
import Type, { type Static } from 'typebox'
import { CheckKind } from './check-kind.ts'
import { DateTime, Ms, Nullable, Uuid } from './shape.ts'

export const SESSION_STATUSES = [
  'STARTED',
  'PROGRESS',
  'FAILED',
  'PASSED',
  'DEGRADED',
  'PROGRESS_FAILED',
  'PROGRESS_DEGRADED',
  'TIMED_OUT',
] as const
export const SessionStatus = Type.Enum(SESSION_STATUSES)
/** Version 2 tells a cancelled session from one whose time was up. */
export const SESSION_STATUSES_V2 = [...SESSION_STATUSES, 'CANCELLED'] as const
export const SessionStatusV2 = Type.Enum(SESSION_STATUSES_V2)
export type SessionStatus = Static<typeof SessionStatusV2>

export const SessionResult = Type.Object({
  checkResultId: Uuid,
  checkResultLink: Type.String(),
  checkId: Uuid,
  name: Type.String(),
  checkType: CheckKind,
  runLocation: Type.String(),
  resultType: Nullable(Type.String()),
  hasErrors: Type.Boolean(),
  hasFailures: Type.Boolean(),
  isDegraded: Type.Boolean(),
  aborted: Type.Boolean(),
})
export type SessionResult = Static<typeof SessionResult>

export const CheckSession = Type.Object({
  checkSessionId: Uuid,
  checkSessionLink: Type.String(),
  checkId: Uuid,
  checkType: CheckKind,
  name: Type.String(),
  status: SessionStatus,
  startedAt: DateTime,
  stoppedAt: Nullable(DateTime),
  timeElapsed: Ms,
  runLocations: Type.Array(Type.String()),
  results: Type.Optional(Type.Array(SessionResult)),
})
export type CheckSession = Static<typeof CheckSession>

export const CheckSessionV2 = Type.Object({ ...CheckSession.properties, status: SessionStatusV2 })
export type CheckSessionV2 = Static<typeof CheckSessionV2>

export const SessionTrigger = Type.Object({
  target: Type.Optional(
    Nullable(
      Type.Object({
        matchTags: Type.Optional(
          Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), {
            description: 'Any of the inner lists must match whole; !tag excludes.',
          }),
        ),
        checkId: Type.Optional(Type.Union([Uuid, Type.Array(Uuid)])),
      }),
    ),
  ),
})
export const SessionTriggerV2 = Type.Object({
  ...SessionTrigger.properties,
  refreshCache: Type.Optional(Type.Boolean({ description: 'Accepted; there is no cache to refresh.' })),
})
export type SessionTrigger = Static<typeof SessionTrigger>
