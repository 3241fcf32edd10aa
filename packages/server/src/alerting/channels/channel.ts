/** What channel types can do: one try at delivering a message, and keeping their secrets. */
import type { EgressPolicy } from '@vedette/core'
import type { AlertMessage, ChannelConfig, ChannelType } from '@vedette/schema'
import type { Mailer } from '../../mail/mailer.ts'
import type { ChannelSettings } from './channel-settings.ts'

export interface ChannelDelivery<T extends ChannelType> {
  /**
   * Tries once. Channels know nothing of retries.
   *
   * @throws DeliveryError when the message was not accepted
   */
  deliver(message: AlertMessage, config: ChannelConfig<T>, context: DeliveryContext): Promise<Exchange>
  /** The configuration as it was used for a message, its templates filled in: what the log shows, still unmasked. */
  used(message: AlertMessage, config: ChannelConfig<T>, context: DeliveryContext): ChannelConfig<T>
}

/** What every channel type knows of its secrets. */
export interface ChannelSecrets<T extends ChannelType> {
  /** The configuration without its secrets. */
  mask(config: ChannelConfig<T>): ChannelConfig<T>
  /** What a client sent, with the stored secrets wherever it sent back their masks. */
  restore(sent: ChannelConfig<T>, stored: ChannelConfig<T>): ChannelConfig<T>
}

export interface DeliveryContext {
  /** The same for all tries of a notification. */
  deliveryId: string
  now: Date
  egress: EgressPolicy
  /** Null without a mail server. */
  mailer: Mailer | null
  /** The end of the try. */
  signal: AbortSignal
  settings: ChannelSettings
  /** Is shown what was said over HTTP, without its secrets. */
  witness?: (seen: Witnessed) => void
}

/** A request and what came of it, as people may see them. */
export interface Witnessed {
  request: { method: string; url: string; headers: Header[]; body: string | null }
  /** Null: there was none. Of the headers, those that tell something. */
  answer: { status: number; headers: Header[]; body: string } | null
  durationMs: number
}

export interface Header {
  name: string
  value: string
}

/** What the other side said. */
export interface Exchange {
  outcome: string
}

/** The message was not accepted. The text is what the log of notifications shows. */
export class DeliveryError extends Error {
  /** False: trying again would end the same way. */
  readonly retry: boolean
  /** How long the other side asked to be left alone. */
  readonly retryAfterMs: number | null

  constructor(
    outcome: string,
    { retry = true, retryAfterMs = null }: { retry?: boolean; retryAfterMs?: number | null } = {},
  ) {
    super(outcome)
    this.name = 'DeliveryError'
    this.retry = retry
    this.retryAfterMs = retryAfterMs
  }
}
