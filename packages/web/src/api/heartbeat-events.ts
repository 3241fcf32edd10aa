import { queryOptions } from '@tanstack/react-query'
import { routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

const POLL_MS = 10_000

/** The latest pings and missing pings. No live event tells of a ping, so they are asked for. */
export const heartbeatEventsQuery = (checkId: string) =>
  queryOptions({
    queryKey: [...keys.runsOf(checkId), 'heartbeat-events'],
    queryFn: async ({ signal }) => {
      const [answer] = await call(routes.listHeartbeatEvents, { params: { checkId }, signal })
      return answer ?? { events: [], stats: { last24Hours: null, last7Days: null } }
    },
    refetchInterval: POLL_MS,
  })
