import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type BodyOf, routes } from '@vedette/schema'
import { call } from './call.ts'
import { meQuery } from './me.ts'
import { setUpStateQuery } from './set-up-state.ts'

export function useSetUp() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<typeof routes.setUp>) => call(routes.setUp, { body }),
    onSuccess: (me) => {
      queryClient.setQueryData(meQuery.queryKey, me)
      queryClient.setQueryData(setUpStateQuery.queryKey, { needed: false })
    },
  })
}
