import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useArchiveErrorGroup(checkId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      call(routes.updateErrorGroup, { params: { id }, body: { archivedUntilNextEvent: true } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [...keys.runsOf(checkId), 'error-groups'] }),
  })
}
