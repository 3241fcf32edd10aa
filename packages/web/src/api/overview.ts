import { queryOptions } from '@tanstack/react-query'
import { type CheckOverview, routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'
import { Refusal } from './refusal.ts'

export const overviewQuery = (checkId: string) =>
  queryOptions({
    queryKey: keys.overview(checkId),
    queryFn: ({ signal }) => loadOverview(checkId, signal),
  })

export async function loadOverview(checkId: string, signal?: AbortSignal): Promise<CheckOverview> {
  const [overview] = await call(routes.overviewChecks, { query: { checkId, limit: 1 }, ...(signal && { signal }) })
  if (!overview) throw new Refusal(404, 'There is no such check. It may have been deleted.')
  return overview
}
