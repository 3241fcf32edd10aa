import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

export const runtimesQuery = queryOptions({
  queryKey: ['runtimes'],
  queryFn: ({ signal }) => call(routes.listRuntimes, { signal }),
})
