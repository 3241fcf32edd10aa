/** The channel types that can deliver. A new type is listed here once; the registries elsewhere are mapped over it. */
import type { Static } from 'typebox'
import { WebhookConfig } from './webhook.ts'

export const CHANNEL_TYPES = ['WEBHOOK'] as const
export type ChannelType = (typeof CHANNEL_TYPES)[number]

export const channelConfigs = { WEBHOOK: WebhookConfig } as const satisfies Record<ChannelType, unknown>
export type ChannelConfig<T extends ChannelType> = Static<(typeof channelConfigs)[T]>
