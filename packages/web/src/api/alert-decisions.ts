import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { callPage } from './call.ts'
import { keys } from './keys.ts'

export const DECISIONS_PER_PAGE = 10
/** The longest span that the server lists at once. */
const DAYS_BACK = 31

/** What was decided up to a moment, newest first. @param untilMs null: up to now. */
export const alertDecisionsQuery = (checkId: string, untilMs: number | null, page: number) =>
  queryOptions({
    queryKey: [...keys.runsOf(checkId), 'alert-decisions', { untilMs, page }],
    queryFn: ({ signal }) => {
      // A minute ahead of now, for clocks that differ; a moment that was asked for is within its list.
      const to = Math.floor((untilMs ?? Date.now()) / 1000) + 60
      const query = { limit: DECISIONS_PER_PAGE, page, from: String(to - DAYS_BACK * 86_400), to: String(to) }
      return callPage(routes.listAlertDecisions, { params: { id: checkId }, query, signal })
    },
    placeholderData: keepPreviousData,
  })
