import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useDeleteClientCertificate() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(routes.deleteClientCertificate, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.clientCertificates }),
  })
}
