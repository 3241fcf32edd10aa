import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export const checkQuery = (checkId: string) =>
  queryOptions({
    queryKey: keys.check(checkId),
    queryFn: ({ signal }) => call(routes.getCheck, { params: { id: checkId }, signal }),
  })
