import { queryOptions } from '@tanstack/react-query'
import { type CheckSessionV2, routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** Asked again every second until it has ended: a session lasts seconds, and its page is open because someone waits. */
export const sessionQuery = (checkSessionId: string) =>
  queryOptions({
    queryKey: keys.session(checkSessionId),
    queryFn: ({ signal }) => call(routes.getSessionV2, { params: { checkSessionId }, signal }),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 1000),
  })

export const hasEnded = (session: CheckSessionV2): boolean => session.stoppedAt !== null
