/** What a run leaves behind. */
import Type, { type Static } from 'typebox'
import { CheckKind } from './check-kind.ts'
import { ApiCheckResult } from './kinds/api.ts'
import { DnsCheckResult } from './kinds/dns.ts'
import { GrpcCheckResult } from './kinds/grpc.ts'
import { IcmpCheckResult } from './kinds/icmp.ts'
import { SslCheckResult } from './kinds/ssl.ts'
import { TcpCheckResult } from './kinds/tcp.ts'
import { BrowserCheckResult, MultiStepCheckResult, PlaywrightCheckResult } from './script-run.ts'
import { DateTime, Nullable, Uuid } from './shape.ts'

/** `error` means that the trouble was ours: it changes no state of the check and blames no target. */
export const VERDICTS = ['passed', 'degraded', 'failed', 'error'] as const
export const Verdict = Type.Enum(VERDICTS)
export type Verdict = Static<typeof Verdict>

export const RESULT_TYPES = ['FINAL', 'ATTEMPT'] as const
export const ResultType = Type.Enum(RESULT_TYPES)
export type ResultType = Static<typeof ResultType>

/** By kind: API and URL, TCP. */
export const RequestCheckResult = Type.Union([ApiCheckResult, TcpCheckResult, DnsCheckResult])

export const CheckResult = Type.Object({
  id: Uuid,
  name: Type.String(),
  checkId: Uuid,
  checkType: Type.Optional(CheckKind),
  hasFailures: Type.Boolean({ description: 'The target failed.' }),
  hasErrors: Type.Boolean({ description: 'The monitor itself was in trouble; says nothing about the target.' }),
  isDegraded: Type.Boolean(),
  overMaxResponseTime: Type.Boolean(),
  runLocation: Type.String(),
  startedAt: DateTime,
  stoppedAt: DateTime,
  created_at: DateTime,
  responseTime: Type.Number({ description: 'Milliseconds.' }),
  checkRunId: Type.Number({ description: 'Shared by all locations and attempts of one run.' }),
  attempts: Type.Integer({ description: 'FINAL: how many attempts were made. ATTEMPT: which one it was.' }),
  resultType: ResultType,
  sequenceId: Nullable(Uuid, { description: 'Shared by the attempts of one run in one location.' }),
  errorMessage: Type.Optional(
    Nullable(Type.String({ description: 'Why the run failed or was in error, in one sentence.' })),
  ),
  apiCheckResult: Nullable(RequestCheckResult, {
    description: 'What was asked and answered: its shape is that of the kind of check.',
  }),
  grpcCheckResult: Type.Optional(Nullable(GrpcCheckResult)),
  browserCheckResult: Nullable(BrowserCheckResult),
  multiStepCheckResult: Nullable(MultiStepCheckResult),
  playwrightCheckResult: Type.Optional(Nullable(PlaywrightCheckResult)),
  icmpCheckResult: Type.Optional(Nullable(IcmpCheckResult)),
  sslCheckResult: Type.Optional(Nullable(SslCheckResult)),
})
export type CheckResult = Static<typeof CheckResult>

export const CheckResultPage = Type.Object({
  length: Type.Integer(),
  entries: Type.Array(CheckResult),
  nextId: Nullable(Type.String()),
})
export type CheckResultPage = Static<typeof CheckResultPage>
