import { useMutation } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

export const useRunCheck = () => useMutation({ mutationFn: runCheck })

export const runCheck = (checkId: string) => call(routes.triggerSessionsV2, { body: { target: { checkId } } })
