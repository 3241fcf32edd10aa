import { useMutation } from '@tanstack/react-query'
import { type AlertSettings, routes } from '@vedette/schema'
import { call } from './call.ts'

/** Tries alert settings on the last days of a check. The answer comes with what was tried. */
export const useReplayAlerts = (checkId: string) =>
  useMutation({
    mutationFn: async ({ alertSettings, days }: { alertSettings: AlertSettings; days: number }) => {
      const from = String(Math.floor(Date.now() / 1000) - days * 86_400)
      const replay = await call(routes.replayAlerts, {
        params: { id: checkId },
        query: { from, to: now() },
        body: { alertSettings },
      })
      return { replay, alertSettings, days }
    },
  })

/** In a second, as the end of a window is exclusive. */
const now = (): string => String(Math.floor(Date.now() / 1000) + 1)
