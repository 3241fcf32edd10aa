import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useCancelSession(checkSessionId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(routes.cancelSession, { params: { checkSessionId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.session(checkSessionId) }),
  })
}
