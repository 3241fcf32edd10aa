import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

const POLL_MS = 10_000

/** When the next ping is expected. */
export const heartbeatTimerQuery = (checkId: string) =>
  queryOptions({
    queryKey: [...keys.runsOf(checkId), 'heartbeat-timer'],
    queryFn: ({ signal }) => call(routes.getHeartbeatTimer, { params: { checkId }, signal }),
    refetchInterval: POLL_MS,
  })
