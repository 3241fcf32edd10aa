import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AlertChannelWrite, routes } from '@vedette/schema'
import { call } from './call.ts'
import { keys } from './keys.ts'

/** Creates a channel, or replaces the one whose id is given. */
export function useSaveChannel() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { id: number | null; body: AlertChannelWrite }) =>
      id === null
        ? call(routes.createAlertChannel, { body })
        : call(routes.updateAlertChannel, { params: { id }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.channels }),
  })
}
