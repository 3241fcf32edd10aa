import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useDeleteLocationKey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (params: { id: string; keyId: string }) => call(routes.deleteLocationKey, { params }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.privateLocations }),
  })
}
