import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type PrivateLocationCreate, routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useCreatePrivateLocation() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: PrivateLocationCreate) => call(routes.createPrivateLocation, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.privateLocations }),
  })
}
