import type { CheckKind } from '../check-kind.ts'
import type { Route } from '../route.ts'
import * as dryRuns from './dry-runs.ts'

/** By kind: a missing one does not compile. */
export const dryRunRoutes = {
  API: dryRuns.dryRunApiCheck,
  URL: dryRuns.dryRunUrlCheck,
  GRPC: dryRuns.dryRunGrpcCheck,
  TCP: dryRuns.dryRunTcpCheck,
  ICMP: dryRuns.dryRunIcmpCheck,
  SSL: dryRuns.dryRunSslCheck,
  DNS: dryRuns.dryRunDnsCheck,
  BROWSER: dryRuns.dryRunBrowserCheck,
  MULTI_STEP: dryRuns.dryRunMultiStepCheck,
  PLAYWRIGHT: dryRuns.dryRunPlaywrightCheck,
  HEARTBEAT: dryRuns.dryRunHeartbeatCheck,
} as const satisfies { [K in CheckKind]: Route }
