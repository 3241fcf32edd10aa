/** What people call the kinds of check. */
import { type CheckKind, RUNNABLE_KINDS, type RunnableKind } from '@vedette/schema'

export const kindWords: Record<CheckKind, { label: string; many: string }> = {
  API: { label: 'API', many: 'API checks' },
  BROWSER: { label: 'Browser', many: 'browser checks' },
  HEARTBEAT: { label: 'Heartbeat', many: 'heartbeats' },
  MULTI_STEP: { label: 'Multi-step', many: 'multi-step checks' },
  TCP: { label: 'TCP', many: 'TCP checks' },
  PLAYWRIGHT: { label: 'Suite', many: 'Playwright suites' },
  URL: { label: 'URL', many: 'URL checks' },
  DNS: { label: 'DNS', many: 'DNS checks' },
  GRPC: { label: 'gRPC', many: 'gRPC checks' },
  ICMP: { label: 'ICMP', many: 'ICMP checks' },
  SSL: { label: 'SSL', many: 'SSL checks' },
}

/** Undefined for what is not run. */
export const runnableKind = (kind: string | undefined): RunnableKind | undefined =>
  RUNNABLE_KINDS.find((runnable) => runnable === kind)

/** Kinds that people add and change in a form. */
export const FORM_KINDS = [...RUNNABLE_KINDS, 'HEARTBEAT'] as const
export type FormKind = (typeof FORM_KINDS)[number]

export const formKind = (kind: unknown): FormKind | undefined => FORM_KINDS.find((one) => one === kind)

/** Why a check of this kind has no runs; null where it has. Nobody runs a heartbeat: it waits for pings. */
export function whyNotRun(kind: CheckKind): string | null {
  return kind === 'HEARTBEAT' ? 'A heartbeat has no runs: it waits for pings.' : null
}
