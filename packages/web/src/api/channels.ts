import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export const channelsQuery = queryOptions({
  queryKey: keys.channels,
  queryFn: ({ signal }) => call(routes.listAlertChannels, { query: { limit: 100 }, signal }),
})
