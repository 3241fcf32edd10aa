import type { QueryClient } from '@tanstack/react-query'
import { refreshLists } from './check-lists.ts'
import { keys } from './keys.ts'

/** A group has changed, or who is in it: the settings of its checks may be others now. */
export const refreshGroups = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([
    refreshLists(queryClient),
    ...[keys.groups, keys.effective, ['overview']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  ])
