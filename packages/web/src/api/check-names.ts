import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** The names of checks by id, for the places that show a check they know by id alone. */
export const checkNamesQuery = queryOptions({
  queryKey: keys.names,
  queryFn: ({ signal }) => call(routes.listCheckStatuses, { signal }),
  select: (statuses) => new Map(statuses.map(({ checkId, name }) => [checkId, name])),
})
