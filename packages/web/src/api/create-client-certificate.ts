import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ClientCertificateCreate, routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

export function useCreateClientCertificate() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: ClientCertificateCreate) => call(routes.createClientCertificate, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.clientCertificates }),
  })
}
