import { queryOptions } from '@tanstack/react-query'
import { type CheckSession, routes } from '@vedette/schema'
import { call } from './call.ts'

/** Asked again every second until it has ended: a session lasts seconds, and its page is open because someone waits. */
export const sessionQuery = (checkSessionId: string) =>
  queryOptions({
    queryKey: ['session', checkSessionId],
    queryFn: ({ signal }) => call(routes.getSession, { params: { checkSessionId }, signal }),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 1000),
  })

export const hasEnded = (session: CheckSession): boolean => session.stoppedAt !== null
