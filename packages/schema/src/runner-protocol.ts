/**
 * Between server and runner, over HTTP with a location key. A runner signs in, leases runs that fall due, executes
 * each at its due time and reports it. One lease is one attempt: retries are planned by the server.
 *
 * Clocks need not agree: due times travel as milliseconds from now, instants in reports are in the server's time,
 * computed by the runner from the due time and its monotonic clock.
 */
import Type, { type Static } from 'typebox'
import { Abilities, ScriptLoad } from './abilities.ts'
import { Isolation } from './isolation.ts'
import { type KindSettings, kindDetails, kindSettings, type RunnableKind } from './kinds/index.ts'
import { Verdict } from './result.ts'
import { RunCertificate, RunScripts, RunVariable } from './run-extras.ts'
import { Discriminated, Nullable, Uuid } from './shape.ts'
import { SeenCertificate } from './tls.ts'
import { VerdictRule } from './verdict-rule.ts'

/** A runner says that it is alive this often; after three missed times its runs are given to another. */
export const HEARTBEAT_INTERVAL_MS = 5000
export const HEARTBEATS_MISSED_BEFORE_LOST = 3

/** Names one lease. Runners hand it back as it came. */
export const LeaseId = Type.String({ minLength: 1, maxLength: 80 })

export const SignInRequest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  version: Type.String({ maxLength: 100 }),
  ...Abilities.properties,
  controls: Type.Optional(
    Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 100,
      description: 'What the runner asks to find out whether its own network and name server are well.',
    }),
  ),
  isolation: Type.Optional(Isolation),
})
export type SignInRequest = Static<typeof SignInRequest>

export const SignInAnswer = Type.Object({
  runnerId: Type.Integer(),
  locations: Type.Array(Type.String(), { description: 'The locations that the key serves.' }),
})
export type SignInAnswer = Static<typeof SignInAnswer>

export const HeartbeatRequest = Type.Object({
  runnerId: Type.Integer(),
  holding: Type.Optional(
    Type.Array(LeaseId, {
      maxItems: 100_000,
      description: 'The leases in hand; others of this runner are taken back.',
    }),
  ),
  trouble: Nullable(
    Type.String({ maxLength: 1000, description: 'Why this runner cannot judge targets now; null when all is well.' }),
  ),
  isCutOff: Type.Optional(
    Type.Boolean({ description: 'Its controls do not answer: it is quarantined until they do for a while.' }),
  ),
  isolation: Type.Optional(Isolation),
  abilities: Type.Optional(Abilities),
  scriptLoad: Type.Optional(ScriptLoad),
  clockMs: Type.Optional(Type.Number({ description: 'What the runner’s own clock says, in milliseconds since 1970.' })),
})
export type HeartbeatRequest = Static<typeof HeartbeatRequest>

export const LeaseRequest = Type.Object({
  runnerId: Type.Integer(),
  capacity: Type.Integer({ minimum: 1, maximum: 10_000 }),
  horizonMs: Type.Integer({ minimum: 0, maximum: 30_000, description: 'Take runs due within this time.' }),
  waitMs: Type.Integer({ minimum: 0, maximum: 30_000, description: 'Hold the call this long when nothing is due.' }),
})
export type LeaseRequest = Static<typeof LeaseRequest>

const leased = {
  leaseId: LeaseId,
  checkId: Uuid,
  location: Type.String(),
  attempt: Type.Integer({ minimum: 1 }),
  dueInMs: Type.Number({ description: 'Milliseconds from the answer; negative when already due.' }),
  dueAtMs: Type.Number({ description: 'The same instant in the server’s time, milliseconds since 1970.' }),
  /** The detail of a passing run need not be sent again while it equals the one kept last. */
  kept: Nullable(Type.Object({ fingerprint: Type.String(), ageMs: Type.Number() })),
  /** True for runs on demand: whoever asked wants to see the whole. */
  keepDetail: Type.Boolean(),
  proxyUrl: Nullable(Type.String()),
  /** Only what the run can make use of. */
  variables: Type.Array(RunVariable),
  scripts: Nullable(RunScripts),
  certificates: Type.Array(RunCertificate),
}

const leasedRunOf = <K extends RunnableKind>(kind: K) =>
  Type.Object({ ...leased, kind: Type.Literal(kind), settings: kindSettings[kind] })
export const LeasedRun = Discriminated('kind', [
  leasedRunOf('API'),
  leasedRunOf('URL'),
  leasedRunOf('DNS'),
  leasedRunOf('GRPC'),
  leasedRunOf('TCP'),
  leasedRunOf('ICMP'),
  leasedRunOf('SSL'),
  leasedRunOf('MULTI_STEP'),
  leasedRunOf('BROWSER'),
  leasedRunOf('PLAYWRIGHT'),
])
/** A run whose kind is known, or any of some kinds. */
export type LeasedRunOf<K extends RunnableKind> = Static<Type.TObject<typeof leased>> & {
  kind: K
  settings: KindSettings<K>
}
export type LeasedRun = Static<typeof LeasedRun>

const runDetailOf = <K extends RunnableKind>(kind: K) =>
  Type.Object({ kind: Type.Literal(kind), content: kindDetails[kind] })
/** What is kept of an answer beyond the narrow row of its result. */
export const RunDetail = Discriminated('kind', [
  runDetailOf('API'),
  runDetailOf('URL'),
  runDetailOf('DNS'),
  runDetailOf('GRPC'),
  runDetailOf('TCP'),
  runDetailOf('ICMP'),
  runDetailOf('SSL'),
  runDetailOf('MULTI_STEP'),
  runDetailOf('BROWSER'),
  runDetailOf('PLAYWRIGHT'),
])
export type RunDetail = Static<typeof RunDetail>

export const LeaseAnswer = Type.Object({ runs: Type.Array(LeasedRun) })
export type LeaseAnswer = Static<typeof LeaseAnswer>

/** One attempt as its runner saw and judged it. */
export const RunReport = Type.Object({
  leaseId: LeaseId,
  verdict: Verdict,
  /** What decided the verdict. Runners of older versions do not say. */
  rule: Type.Optional(VerdictRule),
  startedAtMs: Type.Number({ description: 'In the server’s time.' }),
  durationMs: Type.Number({ minimum: 0 }),
  latenessMs: Type.Number({ description: 'Start minus due time.' }),
  responseTimeMs: Type.Number({ minimum: 0 }),
  overMaxResponseTime: Type.Boolean(),
  /** No answer was received: what `onlyOn: NETWORK_ERROR` retries. */
  networkError: Type.Boolean(),
  statusCode: Nullable(Type.Integer()),
  /** Milliseconds, in the order of the kind; null without an answer. */
  phases: Nullable(Type.Array(Type.Number(), { maxItems: 8 })),
  /** Why it failed or was in error, one sentence; null when it passed. */
  error: Nullable(Type.String({ maxLength: 10_000 })),
  /** Equal for answers that tell the same. */
  fingerprint: Nullable(Type.String({ maxLength: 64 })),
  /** Of the host that the check names, where a handshake was completed with it. */
  certificate: Type.Optional(Nullable(SeenCertificate)),
  detail: Nullable(RunDetail, { description: 'Left out where it equals the one kept last.' }),
})
export type RunReport = Static<typeof RunReport>

export const ReportRequest = Type.Object({
  runnerId: Type.Integer(),
  reports: Type.Array(RunReport, { minItems: 1, maxItems: 1000 }),
})
export type ReportRequest = Static<typeof ReportRequest>

/** Dropped reports were recorded before, or their lease has passed to another runner: they need no repeating. */
export const ReportAnswer = Type.Object({ accepted: Type.Integer(), dropped: Type.Array(LeaseId) })
export type ReportAnswer = Static<typeof ReportAnswer>
