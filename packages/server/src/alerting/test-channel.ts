/** Sends a sample message through a channel at once and tells what was said. Nothing of it is kept. */
import { randomUUID } from 'node:crypto'
import { composeAlert, type EgressPolicy } from '@vedette/core'
import type { AlertMessage, AlertType, ChannelSetUp, ChannelTest } from '@vedette/schema'
import type { Mailer } from '../mail/mailer.ts'
import { DeliveryError, type Witnessed } from './channels/channel.ts'
import type { ChannelSettings } from './channels/channel-settings.ts'
import { uuidOf } from './delivery-id.ts'
import { send } from './send.ts'

export interface ChannelTestParts {
  settings: ChannelSettings
  /** Null without a mail server. */
  mailer: Mailer | null
  egress: EgressPolicy
  /** Where the sample leads: it has no result of its own. */
  alertsPage: string
  /** Nobody waits any more. */
  over: AbortSignal
}

/** As long as a try of a notification may take. */
const LIMIT_MS = 25_000

export async function testChannel(
  channel: ChannelSetUp & { id: number },
  alertType: AlertType,
  { settings, mailer, egress, alertsPage, over }: ChannelTestParts,
): Promise<ChannelTest> {
  const now = new Date()
  let seen: Witnessed | null = null
  const began = performance.now()
  const { outcome, error } = await send(channel, sampleMessage(channel.id, alertType, now, alertsPage), {
    deliveryId: randomUUID(),
    now,
    egress,
    settings,
    mailer,
    signal: AbortSignal.any([over, AbortSignal.timeout(LIMIT_MS)]),
    witness: (witnessed) => {
      seen = witnessed
    },
  })
    .then((exchange) => ({ outcome: exchange.outcome, error: null }))
    .catch((reason: unknown) => {
      if (!(reason instanceof DeliveryError)) throw reason
      return { outcome: reason.message, error: reason }
    })
  const { request = null, answer = null, durationMs = performance.now() - began } = witnessedOf(seen)
  return {
    accepted: error === null,
    retried: error?.retry ?? false,
    outcome,
    request,
    answer,
    duration: Math.round(durationMs),
  }
}

/** The compiler does not see that the witness was called. */
const witnessedOf = (seen: Witnessed | null): Partial<Witnessed> => seen ?? {}

/** The same check for every sample of a channel, so that a recovery closes what a failure has opened. */
export function sampleMessage(channelId: number, alertType: AlertType, now: Date, link: string): AlertMessage {
  const isGood = alertType === 'ALERT_RECOVERY' || alertType === 'ALERT_DEGRADED_RECOVERY'
  const message = composeAlert(
    {
      alertType,
      episodeId: uuidOf(`sample episode of channel ${channelId}`),
      checkId: uuidOf(`sample check of channel ${channelId}`),
      checkName: 'Sample check',
      checkKind: 'API',
      checkDescription: 'It does not exist: somebody tried whether messages arrive.',
      tags: ['sample'],
      resultId: randomUUID(),
      startedAt: now,
      responseTimeMs: 240,
      error: isGood || alertType === 'ALERT_SSL' ? null : 'This is a test: nothing has happened.',
      statusCode: isGood ? 200 : 500,
      location: 'eu-west-1',
      locationName: 'Ireland',
      ...(alertType === 'ALERT_SSL' ? { certificate: { domain: 'sample.example', daysRemaining: 14 } } : {}),
    },
    { link },
  )
  return { ...message, ALERT_TITLE: `Test: ${message.ALERT_TITLE}` }
}
