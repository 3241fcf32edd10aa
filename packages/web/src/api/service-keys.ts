import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** Keys of the account. */
export const serviceKeysQuery = queryOptions({
  queryKey: keys.serviceKeys,
  queryFn: ({ signal }) => call(routes.listServiceKeys, { signal }),
})
