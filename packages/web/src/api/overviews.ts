import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { callPage } from './call.ts'
import { keys } from './keys.ts'

export const OVERVIEWS_PER_PAGE = 50

export interface OverviewFilter {
  search: string
  tag: string
  page: number
}

export const overviewsQuery = ({ search, tag, page }: OverviewFilter) =>
  queryOptions({
    queryKey: [...keys.overviews, { search, tag, page }],
    queryFn: ({ signal }) =>
      callPage(routes.overviewChecks, {
        query: { limit: OVERVIEWS_PER_PAGE, page, search, tag: tag === '' ? [] : [tag] },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
