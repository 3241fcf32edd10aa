import { useMutation } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'

/** The caller leaves the signed-in pages first and then empties the cache, so that nothing of the session stays. */
export const useSignOut = () => useMutation({ mutationFn: () => call(routes.signOut, {}) })
