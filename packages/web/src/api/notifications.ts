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
          from: String(Math.floor(Date.now() / 1000) - 24 * 3600 + 60),
          hasFailures: failuresOnly ? true : undefined,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
