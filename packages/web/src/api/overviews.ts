import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type QueryOf, routes } from '@vedette/schema'
import { callPage } from './call.ts'
import { keys } from './keys.ts'

export const OVERVIEWS_PER_PAGE = 50

export type ListedState = NonNullable<NonNullable<QueryOf<typeof routes.overviewChecks>>['state']>

const LISTED_STATES: readonly unknown[] = [
  'passing',
  'degraded',
  'failing',
  'unknown',
  'paused',
] satisfies ListedState[]
export const isListedState = (value: unknown): value is ListedState => LISTED_STATES.includes(value)

/** Empty where all are meant. */
export interface OverviewFilter {
  search: string
  tag: string
  state: ListedState | ''
  page: number
}

export const overviewsQuery = ({ search, tag, state, page }: OverviewFilter) =>
  queryOptions({
    queryKey: [...keys.overviews, { search, tag, state, page }],
    queryFn: ({ signal }) =>
      callPage(routes.overviewChecks, {
        query: {
          limit: OVERVIEWS_PER_PAGE,
          page,
          search,
          tag: tag === '' ? [] : [tag],
          state: state === '' ? undefined : state,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
