import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes, type VariableCreate } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** Creates a variable, or gives the one of that key another value. */
export function useSaveVariable() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ isNew, body: { key, ...body } }: { isNew: boolean; body: VariableCreate }) =>
      isNew
        ? call(routes.createVariable, { body: { key, ...body } })
        : call(routes.updateVariable, { params: { key }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.variables }),
  })
}
