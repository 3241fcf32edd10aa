import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { callPage } from './call.ts'

export const NOTIFICATIONS_PER_PAGE = 25

export interface NotificationFilter {
  failuresOnly: boolean
  page: number
}

/** The last 24 hours, the longest span that the server lists at once. */
export const notificationsQuery = ({ failuresOnly, page }: NotificationFilter) =>
  queryOptions({
    queryKey: ['notifications', { failuresOnly, page }],
    queryFn: ({ signal }) =>
      callPage(routes.listAlertNotifications, {
        query: {
          limit: NOTIFICATIONS_PER_PAGE,
          page,
          ...lastDay(),
          hasFailures: failuresOnly ? true : undefined,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })

/** Both ends, because either alone brings a shorter span. A minute ahead, for clocks that differ. */
function lastDay(): { from: string; to: string } {
  const to = Math.floor(Date.now() / 1000) + 60
  return { from: String(to - 24 * 3600), to: String(to) }
}
