/** A probe looks once and says what it saw. It never sees an assertion and never decides. */
import type {
  KindObservations,
  KindSettings,
  RunCertificate,
  RunnableKind,
  RunScripts,
  RunVariable,
} from '@vedette/schema'
import type { PlaywrightHost } from '../playwright/playwright-host.ts'
import type { Dialer } from './http/dialer.ts'

export interface Probe<K extends RunnableKind> {
  /** An unreachable target is an observation, not an exception: what is thrown is our own trouble. */
  observe(settings: KindSettings<K>, context: RunContext): Promise<KindObservations[K]>
}

export interface RunContext {
  /** Aborted when the attempt has reached its limit, or when the runner stops. */
  signal: AbortSignal
  checkId?: string
  /** The limit, for messages. */
  limitMs: number
  dialer: Dialer
  /** Absent: scripts of browsers and of several steps are not run here. */
  playwright?: Pick<PlaywrightHost, 'run'> | undefined
  /** The file of a bundle, by its hash. Absent: suites are not run here. @throws Error when it cannot be had */
  bundles?: ((sha256: string) => Promise<string>) | undefined
  /** The forward proxy of the location. */
  proxyUrl: string | null
  /** So much of a body is of use: what is read beyond it is measured and dropped. */
  keepBytes: number
  /** What templates and scripts may name. */
  variables: readonly RunVariable[]
  scripts: RunScripts | null
  /** To show to hosts that ask for one. */
  certificates: readonly RunCertificate[]
}
