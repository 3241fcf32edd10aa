import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

export const locationsQuery = queryOptions({
  queryKey: ['locations'],
  queryFn: ({ signal }) => call(routes.listLocations, { signal }),
})
