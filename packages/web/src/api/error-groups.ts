import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export const errorGroupsQuery = (checkId: string) =>
  queryOptions({
    queryKey: [...keys.runsOf(checkId), 'error-groups'],
    queryFn: ({ signal }) => call(routes.listErrorGroups, { params: { checkId }, signal }),
  })
