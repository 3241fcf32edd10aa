/** Every operation of the HTTP API. */
import * as access from './access.ts'
import * as acknowledgements from './acknowledgements.ts'
import * as alertChannels from './alert-channels.ts'
import * as alerts from './alerts.ts'
import * as analytics from './analytics.ts'
import * as assets from './assets.ts'
import * as auditLog from './audit-log.ts'
import * as badges from './badges.ts'
import * as catalogues from './catalogues.ts'
import * as checkGroups from './check-groups.ts'
import * as checkResults from './check-results.ts'
import * as checkSessions from './check-sessions.ts'
import * as checkStatuses from './check-statuses.ts'
import * as checks from './checks.ts'
import * as clientCertificates from './client-certificates.ts'
import * as dashboards from './dashboards.ts'
import * as dryRuns from './dry-runs.ts'
import * as errorGroups from './error-groups.ts'
import * as heartbeats from './heartbeats.ts'
import * as locations from './locations.ts'
import * as maintenanceWindows from './maintenance-windows.ts'
import * as metricsExport from './metrics-export.ts'
import * as operations from './operations.ts'
import * as playwrightBundles from './playwright-bundles.ts'
import * as runner from './runner.ts'
import * as snippets from './snippets.ts'
import * as statusPageIncidents from './status-page-incidents.ts'
import * as statusPages from './status-pages.ts'
import * as triggers from './triggers.ts'
import * as variables from './variables.ts'

export const routes = {
  ...checks,
  ...dryRuns,
  ...checkGroups,
  ...checkResults,
  ...assets,
  ...checkSessions,
  ...checkStatuses,
  ...errorGroups,
  ...alertChannels,
  ...heartbeats,
  ...alerts,
  ...acknowledgements,
  ...locations,
  ...dashboards,
  ...statusPages,
  ...statusPageIncidents,
  ...variables,
  ...snippets,
  ...playwrightBundles,
  ...clientCertificates,
  ...maintenanceWindows,
  ...catalogues,
  ...runner,
  ...access,
  ...auditLog,
  ...operations,
  ...triggers,
  ...analytics,
  ...badges,
  ...metricsExport,
} as const
