import { useMutation } from '@tanstack/react-query'
import { type ChannelTestWish, routes } from '@vedette/schema'
import { call } from './call.ts'

/** Sends a sample message through a channel at once. */
export function useTestChannel() {
  return useMutation({
    mutationFn: ({ id, ...body }: ChannelTestWish & { id: number }) =>
      call(routes.testAlertChannel, { params: { id }, body }),
  })
}
