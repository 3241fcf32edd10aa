/** Every operation of the HTTP API. */
import * as access from './access.ts'
import * as alertChannels from './alert-channels.ts'
import * as checkResults from './check-results.ts'
import * as checkSessions from './check-sessions.ts'
import * as checkStatuses from './check-statuses.ts'
import * as checks from './checks.ts'
import * as errorGroups from './error-groups.ts'
import * as locations from './locations.ts'
import * as operations from './operations.ts'
import * as runner from './runner.ts'

export const routes = {
  ...checks,
  ...checkResults,
  ...checkSessions,
  ...checkStatuses,
  ...errorGroups,
  ...alertChannels,
  ...locations,
  ...runner,
  ...access,
  ...operations,
} as const
