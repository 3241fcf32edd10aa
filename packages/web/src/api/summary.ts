import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** All checks in figures, and every tag in use. */
export const summaryQuery = queryOptions({
  queryKey: keys.summary,
  queryFn: ({ signal }) => call(routes.summariseChecks, { signal }),
  // Runs of checks that no page shows change it too, and no event tells of those one by one.
  refetchInterval: 10_000,
})
