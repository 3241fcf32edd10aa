import { queryOptions } from '@tanstack/react-query'
import { type CheckGroup, routes } from '@vedette/schema'
import { call, callPage } from './call.ts'
import { keys } from './keys.ts'

const PER_PAGE = 100

/** Every group of the account, by name: forms choose among all of them. */
export const groupsQuery = queryOptions({
  queryKey: keys.groups,
  queryFn: async ({ signal }) => {
    const groups: CheckGroup[] = []
    for (let page = 1; ; page++) {
      const { items, total } = await callPage(routes.listCheckGroups, { query: { limit: PER_PAGE, page }, signal })
      groups.push(...items)
      if (items.length === 0 || groups.length >= total) break
    }
    return groups.sort((a, b) => a.name.localeCompare(b.name))
  },
})

export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.groups, id],
    queryFn: ({ signal }) => call(routes.getCheckGroup, { params: { id }, signal }),
  })
