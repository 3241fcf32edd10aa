import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { CHECK_KINDS, type CheckKind, type QueryOf, routes } from '@vedette/schema'
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

const KINDS: readonly unknown[] = CHECK_KINDS
export const isCheckKind = (value: unknown): value is CheckKind => KINDS.includes(value)

/** Empty where all are meant. */
export interface OverviewFilter {
  search: string
  tag: string
  kind: CheckKind | ''
  state: ListedState | ''
  page: number
}

export const overviewsQuery = ({ search, tag, kind, state, page }: OverviewFilter) =>
  queryOptions({
    queryKey: [...keys.overviews, { search, tag, kind, state, page }],
    queryFn: ({ signal }) =>
      callPage(routes.overviewChecks, {
        query: {
          limit: OVERVIEWS_PER_PAGE,
          page,
          search,
          tag: tag === '' ? [] : [tag],
          checkType: kind === '' ? undefined : kind,
          state: state === '' ? undefined : state,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** The checks of a group; kept with the other lists, so that the same events refresh them. */
export const membersQuery = (groupId: number, page: number) =>
  queryOptions({
    queryKey: [...keys.overviews, { groupId, page }],
    queryFn: ({ signal }) =>
      callPage(routes.overviewChecks, { query: { limit: OVERVIEWS_PER_PAGE, page, groupId }, signal }),
    placeholderData: keepPreviousData,
  })
