/** The secrets of a channel, kept apart from its configuration, which keeps masks in their places. */
import type { ChannelConfig, ChannelType } from '@vedette/schema'
import { openJson, type SealedJson, sealJson } from '../secrets/sealed-json.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { maskedConfig } from './mask-config.ts'

export interface ChannelPlace {
  accountId: string
  channelId: number
}

export function sealConfig<T extends ChannelType>(
  secrets: Secrets,
  place: ChannelPlace,
  type: T,
  config: ChannelConfig<T>,
): SealedJson {
  return sealJson(secrets, placeOf(place), config, maskedConfig(type, config))
}

/** Also for what a notification copied from the channel: it stays sealed for the channel. */
export function openConfig<T extends ChannelType>(
  secrets: Secrets,
  place: ChannelPlace,
  config: ChannelConfig<T>,
  sealed: string | null,
): ChannelConfig<T> {
  return openJson(secrets, placeOf(place), config, sealed)
}

function placeOf({ accountId, channelId }: ChannelPlace) {
  return { accountId, table: 'alert_channels', column: 'sealed', rowId: String(channelId) }
}
