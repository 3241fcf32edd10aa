import { infiniteQueryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export interface ResultFilter {
  failuresOnly: boolean
  withAttempts: boolean
}

export const resultsQuery = (checkId: string, { failuresOnly, withAttempts }: ResultFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.runsOf(checkId), 'results', { failuresOnly, withAttempts }],
    queryFn: ({ pageParam, signal }) =>
      call(routes.listCheckResults, {
        params: { checkId },
        query: {
          limit: 15,
          nextId: pageParam,
          hasFailures: failuresOnly ? true : undefined,
          resultType: withAttempts ? 'ALL' : 'FINAL',
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextId,
  })
