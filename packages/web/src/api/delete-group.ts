import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useDeleteGroup() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(routes.deleteCheckGroup, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.groups, exact: true }),
  })
}
