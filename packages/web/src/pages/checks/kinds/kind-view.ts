/** What the web application must know of a check kind, beyond what all kinds share. */
import type {
  ApiCheck,
  BrowserCheck,
  BrowserCheckResult,
  CheckResult,
  DnsCheck,
  DryRun,
  GrpcCheck,
  HeartbeatCheck,
  IcmpCheck,
  KindDetail,
  MultiStepCheck,
  MultiStepCheckResult,
  PlaywrightCheck,
  PlaywrightCheckResult,
  RunnableKind,
  SslCheck,
  TcpCheck,
  UrlCheck,
  Verdict,
} from '@vedette/schema'
import type { ComponentType } from 'react'
import type { Option } from '../../../components/field.tsx'
import type { SharedDraft } from '../form/shared-draft.ts'
import type { ApiDraft } from './api/draft.ts'
import type { DnsDraft } from './dns/draft.ts'
import type { GrpcDraft } from './grpc/draft.ts'
import type { HeartbeatDraft } from './heartbeat/draft.ts'
import type { IcmpDraft } from './icmp/draft.ts'
import type { FormKind } from './kind-words.ts'
import type { SuiteDraft } from './playwright/draft.ts'
import type { BrowserDraft, MultiStepDraft } from './script/draft.ts'
import type { SslDraft } from './ssl/draft.ts'
import type { TcpDraft } from './tcp/draft.ts'
import type { UrlDraft } from './url/draft.ts'

/** What the form of each kind holds while it is filled in. */
export interface KindDrafts {
  API: ApiDraft
  HEARTBEAT: HeartbeatDraft
  URL: UrlDraft
  DNS: DnsDraft
  GRPC: GrpcDraft
  TCP: TcpDraft
  ICMP: IcmpDraft
  SSL: SslDraft
  MULTI_STEP: MultiStepDraft
  BROWSER: BrowserDraft
  PLAYWRIGHT: SuiteDraft
}

/** A check of each kind as the API answers it. */
export interface KindChecks {
  API: ApiCheck
  HEARTBEAT: HeartbeatCheck
  URL: UrlCheck
  DNS: DnsCheck
  GRPC: GrpcCheck
  TCP: TcpCheck
  ICMP: IcmpCheck
  SSL: SslCheck
  MULTI_STEP: MultiStepCheck
  BROWSER: BrowserCheck
  PLAYWRIGHT: PlaywrightCheck
}

export type ErrorOf = (key: string) => string | undefined

export interface PartProps<Draft> {
  draft: Draft
  set: (changes: Partial<Draft>) => void
  /** The complaint about a field, by its path in the request. */
  errorOf: ErrorOf
}

/** A kind that has a form: those that run, and heartbeats. */
export interface FormView<K extends FormKind> {
  label: string
  /** What it looks at, for whoever chooses among the kinds. */
  about: string
  /** A new check, from the address the user may have given already. */
  blank: (address: string) => KindDrafts[K]
  /** The draft of a check that exists. */
  drafts: (check: KindChecks[K]) => { shared: SharedDraft; own: KindDrafts[K] }
  /** Whatever must be asked. */
  Essential: ComponentType<PartProps<KindDrafts[K]>>
  /** Whatever has a sensible default. */
  More: ComponentType<PartProps<KindDrafts[K]>>
  /** What stands in for a name; absent: the address. */
  nameHint?: string
  /** How often it may run; absent: as often as anything. */
  frequencies?: readonly Option<string>[]
  /** True for what tries again by itself. */
  retriesItself?: boolean
  /** The name of a check whose user gave none. */
  nameFor: (own: KindDrafts[K]) => string
  /** Creates the check, or updates the one whose id is given; answers its id. */
  save: (checkId: string | null, shared: SharedDraft, own: KindDrafts[K]) => Promise<string>
  /** Runs the draft once and keeps nothing; the id is that of the check that it changes. Null where nothing is run. */
  tryOut:
    | ((checkId: string | null, shared: SharedDraft, own: KindDrafts[K], signal: AbortSignal) => Promise<DryRun>)
    | null
}

/** What is answered of a run where it is not what is kept: with the addresses of the files that the script left. */
interface Presented {
  MULTI_STEP: MultiStepCheckResult
  BROWSER: BrowserCheckResult
  PLAYWRIGHT: PlaywrightCheckResult
}

/** What the API answers of a run of each kind. */
export type KindAnswer<K extends RunnableKind> = K extends keyof Presented ? Presented[K] : KindDetail<K>

export interface CourseProps {
  checkId: string
  firstRunAt: string | undefined
}

/** A kind that runs also has results. */
export interface KindView<K extends RunnableKind> extends FormView<K> {
  /** What is measured of it over time beside its response time. */
  Course?: ComponentType<CourseProps>
  /** What came back, in a word or two; empty when nothing did. */
  inBrief: (result: CheckResult) => string
  detailOf: (result: CheckResult) => KindAnswer<K> | null
  /** The id is that of the result; null of a run of which nothing is kept. */
  Result: ComponentType<{ detail: KindAnswer<K>; checkId: string; resultId: string | null; verdict: Verdict }>
}
