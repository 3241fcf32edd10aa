import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

export const setUpStateQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: ({ signal }) => call(routes.getSetUpState, { signal }),
})
