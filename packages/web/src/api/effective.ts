import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** The settings by which a check runs, each with where it comes from. */
export const effectiveQuery = (checkId: string) =>
  queryOptions({
    queryKey: [...keys.effective, checkId],
    queryFn: ({ signal }) => call(routes.getEffectiveSettings, { params: { id: checkId }, signal }),
  })
