/**
 * The check kinds: all that can be stored, and those that a runner can run. A new kind is listed here once; the
 * registries elsewhere are mapped over it.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { MOST_SCRIPT_SECONDS, MOST_SUITE_SECONDS } from '../check.ts'
import type { CheckKind } from '../check-kind.ts'
import { type ScriptObservation, ScriptRun } from '../script-run.ts'
import { Discriminated } from '../shape.ts'
import { ApiCheck, ApiCheckCreate, ApiCheckResult, ApiCheckUpdate, ApiSettings, type HttpObservation } from './api.ts'
import { BrowserCheck, BrowserCheckCreate, BrowserCheckUpdate, BrowserSettings } from './browser.ts'
import {
  DnsCheck,
  DnsCheckCreate,
  DnsCheckCreateCompat,
  DnsCheckPartial,
  DnsCheckResult,
  DnsCheckStored,
  type DnsObservation,
  DnsSettings,
} from './dns.ts'
import {
  GrpcCheck,
  GrpcCheckCreate,
  GrpcCheckResult,
  GrpcCheckUpdate,
  type GrpcObservation,
  GrpcSettings,
} from './grpc.ts'
import { HeartbeatCheck, HeartbeatCheckCreate, HeartbeatCheckUpdate } from './heartbeat.ts'
import {
  IcmpCheck,
  IcmpCheckCreate,
  IcmpCheckResult,
  IcmpCheckUpdate,
  type IcmpObservation,
  IcmpSettings,
} from './icmp.ts'
import { MultiStepCheck, MultiStepCheckCreate, MultiStepCheckUpdate, MultiStepSettings } from './multi-step.ts'
import { PlaywrightCheck, PlaywrightCheckCreate, PlaywrightCheckUpdate, PlaywrightSettings } from './playwright.ts'
import { SslCheck, SslCheckCreate, SslCheckResult, SslCheckUpdate, type SslObservation, SslSettings } from './ssl.ts'
import {
  TcpCheck,
  TcpCheckCreate,
  TcpCheckResult,
  TcpCheckStored,
  TcpCheckUpdate,
  type TcpObservation,
  TcpSettings,
} from './tcp.ts'
import { UrlCheck, UrlCheckCreate, UrlCheckUpdate, UrlSettings } from './url.ts'

/** By kind: the bodies that make and change a check, what is kept of it, and what is answered. */
export const checkKinds = {
  API: { create: ApiCheckCreate, update: ApiCheckUpdate, stored: ApiCheckCreate, answer: ApiCheck },
  BROWSER: { create: BrowserCheckCreate, update: BrowserCheckUpdate, stored: BrowserCheckCreate, answer: BrowserCheck },
  MULTI_STEP: {
    create: MultiStepCheckCreate,
    update: MultiStepCheckUpdate,
    stored: MultiStepCheckCreate,
    answer: MultiStepCheck,
  },
  PLAYWRIGHT: {
    create: PlaywrightCheckCreate,
    update: PlaywrightCheckUpdate,
    stored: PlaywrightCheckCreate,
    answer: PlaywrightCheck,
  },
  TCP: { create: TcpCheckCreate, update: TcpCheckUpdate, stored: TcpCheckStored, answer: TcpCheck },
  URL: { create: UrlCheckCreate, update: UrlCheckUpdate, stored: UrlCheckCreate, answer: UrlCheck },
  DNS: { create: DnsCheckCreate, update: DnsCheckPartial, stored: DnsCheckStored, answer: DnsCheck },
  HEARTBEAT: {
    create: HeartbeatCheckCreate,
    update: HeartbeatCheckUpdate,
    stored: HeartbeatCheckCreate,
    answer: HeartbeatCheck,
  },
  GRPC: { create: GrpcCheckCreate, update: GrpcCheckUpdate, stored: GrpcCheckCreate, answer: GrpcCheck },
  ICMP: { create: IcmpCheckCreate, update: IcmpCheckUpdate, stored: IcmpCheckCreate, answer: IcmpCheck },
  SSL: { create: SslCheckCreate, update: SslCheckUpdate, stored: SslCheckCreate, answer: SslCheck },
} as const satisfies Record<CheckKind, Record<'create' | 'update' | 'stored' | 'answer', TSchema>>
type Kinds = typeof checkKinds
export type CheckStored<K extends CheckKind> = Static<Kinds[K]['stored']>
export type CheckAnswer<K extends CheckKind> = Static<Kinds[K]['answer']>

const ofKind = <K extends CheckKind>(kind: K) =>
  Type.Object({ ...checkKinds[kind].create.properties, checkType: Type.Literal(kind) })

/** A new check of any kind: `checkType` says which. */
export const CheckCreate = Discriminated('checkType', [
  ofKind('API'),
  ofKind('BROWSER'),
  ofKind('MULTI_STEP'),
  ofKind('PLAYWRIGHT'),
  ofKind('TCP'),
  ofKind('URL'),
  ofKind('DNS'),
  ofKind('HEARTBEAT'),
  ofKind('GRPC'),
  ofKind('ICMP'),
  ofKind('SSL'),
])
export type CheckCreate = Static<typeof CheckCreate>

/** From clients of older services. */
export const CheckCreateCompat = Discriminated('checkType', [
  ofKind('API'),
  ofKind('BROWSER'),
  ofKind('MULTI_STEP'),
  ofKind('PLAYWRIGHT'),
  ofKind('TCP'),
  ofKind('URL'),
  Type.Object({ ...DnsCheckCreateCompat.properties, checkType: Type.Literal('DNS') }),
  ofKind('HEARTBEAT'),
  ofKind('GRPC'),
  ofKind('ICMP'),
  ofKind('SSL'),
])

/** A check of any kind, as it is answered. */
export const Check = Discriminated('checkType', [
  ApiCheck,
  BrowserCheck,
  MultiStepCheck,
  PlaywrightCheck,
  TcpCheck,
  UrlCheck,
  DnsCheck,
  HeartbeatCheck,
  GrpcCheck,
  IcmpCheck,
  SslCheck,
])
export type Check = Static<typeof Check>

/** Kinds whose runs execute what the user wrote, with Playwright. */
export const SCRIPT_KINDS = ['MULTI_STEP', 'BROWSER', 'PLAYWRIGHT'] as const
export type ScriptKind = (typeof SCRIPT_KINDS)[number]
/** Those whose script is a text of the check, rather than a project that was uploaded. */
export type WrittenScriptKind = Exclude<ScriptKind, 'PLAYWRIGHT'>

/** Kinds whose runs ask one thing of one target. */
export const NETWORK_KINDS = ['API', 'URL', 'TCP', 'DNS', 'ICMP', 'GRPC', 'SSL'] as const
export type NetworkKind = (typeof NETWORK_KINDS)[number]

export const RUNNABLE_KINDS = [...NETWORK_KINDS, ...SCRIPT_KINDS] as const
export type RunnableKind = (typeof RUNNABLE_KINDS)[number]

/** What a runner is given of a check, by kind. */
export const kindSettings = {
  API: ApiSettings,
  URL: UrlSettings,
  DNS: DnsSettings,
  GRPC: GrpcSettings,
  TCP: TcpSettings,
  ICMP: IcmpSettings,
  SSL: SslSettings,
  MULTI_STEP: MultiStepSettings,
  BROWSER: BrowserSettings,
  PLAYWRIGHT: PlaywrightSettings,
} as const satisfies Record<RunnableKind, TSchema>
export type KindSettings<K extends RunnableKind> = Static<(typeof kindSettings)[K]>

/** What a result of a kind tells beyond the shared fields. */
export const kindDetails = {
  API: ApiCheckResult,
  URL: ApiCheckResult,
  DNS: DnsCheckResult,
  GRPC: GrpcCheckResult,
  TCP: TcpCheckResult,
  ICMP: IcmpCheckResult,
  SSL: SslCheckResult,
  MULTI_STEP: ScriptRun,
  BROWSER: ScriptRun,
  PLAYWRIGHT: ScriptRun,
} as const satisfies Record<RunnableKind, TSchema>
export type KindDetail<K extends RunnableKind> = Static<(typeof kindDetails)[K]>

/** What a probe of a kind brings back. */
export interface KindObservations {
  API: HttpObservation
  URL: HttpObservation
  GRPC: GrpcObservation
  DNS: DnsObservation
  TCP: TcpObservation
  ICMP: IcmpObservation
  SSL: SslObservation
  MULTI_STEP: ScriptObservation
  BROWSER: ScriptObservation
  PLAYWRIGHT: ScriptObservation
}

/** How long one attempt may take at most in milliseconds, whatever the thresholds say; a check may say less. */
export const ATTEMPT_LIMITS_MS = {
  API: 30_000,
  URL: 30_000,
  DNS: 5000,
  GRPC: 30_000,
  TCP: 5000,
  ICMP: 15_000,
  SSL: 30_000,
  MULTI_STEP: MOST_SCRIPT_SECONDS * 1000,
  BROWSER: MOST_SCRIPT_SECONDS * 1000,
  PLAYWRIGHT: MOST_SUITE_SECONDS * 1000,
} as const satisfies Record<RunnableKind, number>
