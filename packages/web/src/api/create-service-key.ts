import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type BodyOf, routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useCreateServiceKey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<typeof routes.createServiceKey>) => call(routes.createServiceKey, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.serviceKeys }),
  })
}
