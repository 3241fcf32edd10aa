import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export const checkQuery = (checkId: string) =>
  queryOptions({
    queryKey: keys.check(checkId),
    queryFn: ({ signal }) => call(routes.getCheck, { params: { id: checkId }, signal }),
  })

/** With the files that its script imports, which a form shows. */
export const editedCheckQuery = (checkId: string) =>
  queryOptions({
    queryKey: [...keys.check(checkId), 'edited'],
    queryFn: ({ signal }) =>
      call(routes.getCheck, { params: { id: checkId }, query: { includeDependencies: true }, signal }),
  })
