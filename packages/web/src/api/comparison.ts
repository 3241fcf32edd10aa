import { queryOptions } from '@tanstack/react-query'
import { type RunComparison, routes } from '@vedette/schema'
import { call } from './call.ts'
import { isRefusal } from './refusal.ts'

/** A run of a script beside the last good one; null where there is none. */
export const comparisonQuery = (checkId: string, checkResultId: string) =>
  queryOptions({
    queryKey: ['comparison', checkId, checkResultId],
    queryFn: async ({ signal }): Promise<RunComparison | null> => {
      try {
        return await call(routes.compareCheckResult, { params: { checkId, checkResultId }, signal })
      } catch (error) {
        if (isRefusal(error, 404)) return null
        throw error
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
