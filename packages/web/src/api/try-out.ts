/** Runs the definition of a check once, as it stands in a form, and keeps nothing. */
import { type BodyOf, type DryRun, routes } from '@vedette/schema'
import { call } from './call.ts'
import { UNUSED_OF_DNS } from './save-check.ts'

interface Bodies {
  API: BodyOf<typeof routes.dryRunApiCheck>
  ICMP: BodyOf<typeof routes.dryRunIcmpCheck>
  TCP: BodyOf<typeof routes.dryRunTcpCheck>
  GRPC: BodyOf<typeof routes.dryRunGrpcCheck>
  URL: BodyOf<typeof routes.dryRunUrlCheck>
  SSL: BodyOf<typeof routes.dryRunSslCheck>
  MULTI_STEP: BodyOf<typeof routes.dryRunMultiStepCheck>
  BROWSER: BodyOf<typeof routes.dryRunBrowserCheck>
  PLAYWRIGHT: BodyOf<typeof routes.dryRunPlaywrightCheck>
  DNS: Omit<BodyOf<typeof routes.dryRunDnsCheck>, keyof typeof UNUSED_OF_DNS>
}

type Query = { checkId?: string }

const run: { [K in keyof Bodies]: (query: Query, body: Bodies[K], signal: AbortSignal) => Promise<DryRun> } = {
  API: (query, body, signal) => call(routes.dryRunApiCheck, { query, body, signal }),
  ICMP: (query, body, signal) => call(routes.dryRunIcmpCheck, { query, body, signal }),
  TCP: (query, body, signal) => call(routes.dryRunTcpCheck, { query, body, signal }),
  GRPC: (query, body, signal) => call(routes.dryRunGrpcCheck, { query, body, signal }),
  URL: (query, body, signal) => call(routes.dryRunUrlCheck, { query, body, signal }),
  SSL: (query, body, signal) => call(routes.dryRunSslCheck, { query, body, signal }),
  MULTI_STEP: (query, body, signal) => call(routes.dryRunMultiStepCheck, { query, body, signal }),
  BROWSER: (query, body, signal) => call(routes.dryRunBrowserCheck, { query, body, signal }),
  PLAYWRIGHT: (query, body, signal) => call(routes.dryRunPlaywrightCheck, { query, body, signal }),
  DNS: (query, body, signal) => call(routes.dryRunDnsCheck, { query, body: { ...body, ...UNUSED_OF_DNS }, signal }),
}

/** @param checkId the check that the body changes; null: a new one */
export function tryOut<K extends keyof Bodies>(
  kind: K,
  checkId: string | null,
  body: Bodies[K],
  signal: AbortSignal,
): Promise<DryRun> {
  return run[kind](checkId === null ? {} : { checkId }, body, signal)
}
