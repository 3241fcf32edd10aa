import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { allPages } from './all-pages.ts'
import { callPage } from './call.ts'
import { keys } from './keys.ts'

/** Every variable of the account, by name. */
export const variablesQuery = queryOptions({
  queryKey: keys.variables,
  queryFn: async ({ signal }) => {
    const variables = await allPages((query) => callPage(routes.listVariables, { query, signal }))
    return variables.sort((a, b) => a.key.localeCompare(b.key))
  },
})
