import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useDeleteSnippet() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(routes.deleteSnippet, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.snippets, exact: true }),
  })
}
