import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export const statusesQuery = queryOptions({
  queryKey: keys.statuses,
  queryFn: ({ signal }) => call(routes.listCheckStatuses, { signal }),
})
