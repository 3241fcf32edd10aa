import { queryOptions } from '@tanstack/react-query'
import { type CheckResult, routes } from '@vedette/schema'
import { call } from './call.ts'

/** The results of one run in one location: its attempts and, last, the final one. */
export const attemptsQuery = (result: CheckResult) =>
  queryOptions({
    queryKey: ['attempts', result.sequenceId, result.id],
    queryFn: async ({ signal }) => {
      const started = Date.parse(result.startedAt)
      const page = await call(routes.listCheckResults, {
        params: { checkId: result.checkId },
        query: {
          limit: 100,
          resultType: 'ALL',
          location: result.runLocation,
          from: new Date(started - SEQUENCE_SPAN_MS).toISOString(),
          to: new Date(started + SEQUENCE_SPAN_MS).toISOString(),
        },
        signal,
      })
      return page.entries
        .filter((entry) => entry.sequenceId === result.sequenceId)
        .sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
    },
    enabled: result.sequenceId !== null,
  })

/** The attempts of a run lie at most ten minutes apart. */
const SEQUENCE_SPAN_MS = 10 * 60_000
