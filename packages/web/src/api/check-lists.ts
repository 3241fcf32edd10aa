import type { QueryClient } from '@tanstack/react-query'
import { keys } from './keys.ts'

/** What shows many checks at once is out of date. */
export const refreshLists = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([keys.overviews, keys.summary].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
