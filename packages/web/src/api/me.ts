import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call(routes.getMe, { signal }),
  staleTime: 5 * 60_000,
})
