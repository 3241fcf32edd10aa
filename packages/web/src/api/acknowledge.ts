import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { refreshLists } from './check-lists.ts'
import { keys } from './keys.ts'

/** Says to be on the trouble of a check. */
export function useAcknowledge(checkId: string) {
  const refresh = useRefresh(checkId)
  return useMutation({
    mutationFn: (note: string) =>
      call(routes.acknowledgeCheck, { params: { id: checkId }, body: { note: note.trim() === '' ? null : note } }),
    onSuccess: refresh,
  })
}

export function useTakeBackAcknowledgement(checkId: string) {
  const refresh = useRefresh(checkId)
  return useMutation({
    mutationFn: () => call(routes.withdrawAcknowledgement, { params: { id: checkId } }),
    onSuccess: refresh,
  })
}

function useRefresh(checkId: string) {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([queryClient.invalidateQueries({ queryKey: keys.overview(checkId) }), refreshLists(queryClient)])
}
