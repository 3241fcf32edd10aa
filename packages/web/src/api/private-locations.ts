import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export const privateLocationsQuery = queryOptions({
  queryKey: keys.privateLocations,
  queryFn: ({ signal }) => call(routes.listPrivateLocations, { signal }),
})
