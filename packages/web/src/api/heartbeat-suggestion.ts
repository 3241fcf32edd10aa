import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type HeartbeatSuggestion, routes } from '@vedette/schema'
import { call } from './call.ts'
import { refreshLists } from './check-lists.ts'
import { keys } from './keys.ts'

/** The rhythm that fits the latest pings, when the one that is set does not. */
export const heartbeatSuggestionQuery = (checkId: string) =>
  queryOptions({
    queryKey: [...keys.runsOf(checkId), 'heartbeat-suggestion'],
    queryFn: async ({ signal }) =>
      (await call(routes.getHeartbeatSuggestion, { params: { checkId }, signal })).suggestion,
  })

/** Takes a suggestion on; all else stays as it is. */
export function useApplySuggestion(checkId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ heartbeat }: HeartbeatSuggestion) =>
      call(routes.updateHeartbeatCheck, {
        params: { id: checkId },
        body: { heartbeat },
        query: { autoAssignAlerts: false },
      }),
    onSuccess: (check) => {
      queryClient.setQueryData(keys.check(checkId), check)
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.runsOf(checkId) }),
        queryClient.invalidateQueries({ queryKey: keys.overview(checkId) }),
        refreshLists(queryClient),
      ])
    },
  })
}
