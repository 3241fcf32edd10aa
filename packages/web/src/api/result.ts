import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

export const resultQuery = (checkId: string, checkResultId: string) =>
  queryOptions({
    queryKey: ['result', checkId, checkResultId],
    queryFn: ({ signal }) => call(routes.getCheckResult, { params: { checkId, checkResultId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
