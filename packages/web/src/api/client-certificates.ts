import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export const clientCertificatesQuery = queryOptions({
  queryKey: keys.clientCertificates,
  queryFn: ({ signal }) => call(routes.listClientCertificates, { signal }),
})
