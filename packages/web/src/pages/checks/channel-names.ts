import { useQuery } from '@tanstack/react-query'
import { channelTitle } from '@vedette/schema'
import { channelsQuery } from '../../api/channels.ts'

/** The names of channels, in words: “nobody” where there are none. */
export function useChannelNames(ids: readonly number[], nobody = 'nobody'): string {
  const { data: channels = [] } = useQuery(channelsQuery)
  const nameOf = (id: number) => {
    const channel = channels.find((one) => one.id === id)
    return channel === undefined ? `#${id}` : channelTitle(channel)
  }
  return ids.map(nameOf).join(', ') || nobody
}
