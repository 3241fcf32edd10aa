import { useMutation } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

export const useCreateApiKey = () =>
  useMutation({ mutationFn: (name: string) => call(routes.createApiKey, { body: { name } }) })
