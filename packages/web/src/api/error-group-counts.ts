import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** How often each error was seen, on the last 14 days. */
export const errorGroupCountsQuery = (checkId: string) =>
  queryOptions({
    queryKey: [...keys.runsOf(checkId), 'error-groups', 'counts'],
    queryFn: ({ signal }) => call(routes.countErrorGroups, { params: { checkId }, signal }),
  })
