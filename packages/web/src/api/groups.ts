import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { allPages } from './all-pages.ts'
import { call, callPage } from './call.ts'
import { keys } from './keys.ts'

/** Every group of the account, by name: forms choose among all of them. */
export const groupsQuery = queryOptions({
  queryKey: keys.groups,
  queryFn: async ({ signal }) => {
    const groups = await allPages((query) => callPage(routes.listCheckGroups, { query, signal }))
    return groups.sort((a, b) => a.name.localeCompare(b.name))
  },
})

export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.groups, id],
    queryFn: ({ signal }) => call(routes.getCheckGroup, { params: { id }, signal }),
  })
