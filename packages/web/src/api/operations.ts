import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: ({ signal }) => call(routes.getOperations, { signal }),
  refetchInterval: 5000,
})
