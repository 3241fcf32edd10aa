/** Every channel type has its view here: a missing one does not compile. */
import type { ChannelType } from '@vedette/schema'
import type { ChannelView } from './channel-view.ts'
import { webhookView } from './webhook-view.tsx'

export const channelViews: { [T in ChannelType]: ChannelView<T> } = { WEBHOOK: webhookView }
