import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type BodyOf, routes } from '@vedette/schema'
import { call } from './call.ts'
import { meQuery } from './me.ts'

export function useSignIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<typeof routes.signIn>) => call(routes.signIn, { body }),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  })
}
