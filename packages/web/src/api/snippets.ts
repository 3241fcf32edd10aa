import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { allPages } from './all-pages.ts'
import { call, callPage } from './call.ts'
import { keys } from './keys.ts'

/** Every snippet of the account, by name. */
export const snippetsQuery = queryOptions({
  queryKey: keys.snippets,
  queryFn: async ({ signal }) => {
    const snippets = await allPages((query) => callPage(routes.listSnippets, { query, signal }))
    return snippets.sort((a, b) => a.name.localeCompare(b.name))
  },
})

export const snippetQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.snippets, id],
    queryFn: ({ signal }) => call(routes.getSnippet, { params: { id }, signal }),
  })
