import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useDeleteVariable() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => call(routes.deleteVariable, { params: { key } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.variables }),
  })
}
