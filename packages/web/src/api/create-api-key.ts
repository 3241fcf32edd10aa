import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useCreateApiKey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call(routes.createApiKey, { body: { name } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.apiKeys }),
  })
}
