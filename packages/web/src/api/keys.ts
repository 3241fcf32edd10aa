/** Query keys that more than one file names: what live events and mutations invalidate. */
export const keys = {
  overviews: ['overviews'],
  overview: (checkId: string) => ['overview', checkId],
  check: (checkId: string) => ['check', checkId],
  /** The settings in force of all checks: a group may change those of many. */
  effective: ['effective'],
  groups: ['check-groups'],
  /** All that a new run of a check may change. */
  runsOf: (checkId: string) => ['runs-of', checkId],
  session: (checkSessionId: string) => ['session', checkSessionId],
  summary: ['summary'],
  names: ['check-names'],
  channels: ['channels'],
  apiKeys: ['api-keys'],
  serviceKeys: ['service-keys'],
  variables: ['variables'],
  snippets: ['snippets'],
  clientCertificates: ['client-certificates'],
  privateLocations: ['private-locations'],
} as const
