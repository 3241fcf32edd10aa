import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { refreshLists } from './check-lists.ts'
import { keys } from './keys.ts'

export function useDeleteCheck() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(routes.deleteCheck, { params: { id } }),
    onSuccess: () =>
      Promise.all([
        refreshLists(queryClient),
        ...[keys.names, keys.groups].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ]),
  })
}
