/**
 * Delivers the notifications that wait: leases what is due, tries it, records what came of it. In this order, so that a
 * server that dies at any moment leaves a notification which another one sends again, under the same delivery id.
 *
 * Channels are kept apart: each has its own few tries at a time, and those that fail share half of the places.
 */
import {
  deliveryNote,
  egressPolicy,
  FALLBACK_AFTER_MS,
  isFallbackDue,
  nextTryAfter,
  RETRY_TIMES,
  type RetryTimes,
} from '@vedette/core'
import {
  type AlertMessage,
  type ChannelConfig,
  type ChannelSetUp,
  type ChannelType,
  channelSetUp,
} from '@vedette/schema'
import type { Db } from '../db/database.ts'
import { isDatabaseAway } from '../db/database-away.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { SecretLink } from './acknowledge-link.ts'
import { type DeliveryContext, DeliveryError } from './channels/channel.ts'
import type { ChannelSettings } from './channels/channel-settings.ts'
import { newsOf } from './channels/news.ts'
import { makeDigests } from './digest-store.ts'
import { fallBack, fallBackOverdue, tellEnd } from './fallback-store.ts'
import { maskedConfig } from './mask-config.ts'
import { Places } from './places.ts'
import { openConfig } from './sealed-config.ts'
import { configInUse, send } from './send.ts'
import * as store from './store.ts'

export interface DeliveryTimes {
  retries: RetryTimes
  /** Ends a try; shorter than the lease, so that the result is recorded within it. */
  tryLimitMs: number
  /** After it, another server may try what this one has in hand. */
  leaseMs: number
  /** From when on a waiting notification gives way to a later one of the same check and channel. */
  supersedeAfterMs: number
  /** The time for which the limit of a channel counts, and in which it gets one digest. */
  minuteMs: number
  /** How long the first message of a digest waits for others. */
  gatherMs: number
  /** From when on a message that is still tried goes to the fallback too. */
  fallbackAfterMs: number
}

export interface DeliveryParts extends Partial<DeliveryTimes> {
  db: Db
  secrets: Secrets
  log: Log
  /** Networks as CIDR. */
  egress: { allow: readonly string[]; deny: readonly string[] }
  /** Null without a mail server. */
  mailer: Mailer | null
  channels: ChannelSettings
  /** Where whoever reads a message says to be on its trouble, or null. Without it, no message has such a link. */
  acknowledgeLink?: (message: AlertMessage, channelId: number) => SecretLink | null
  /** Messages that a channel gets within a minute, before the rest becomes a digest; 0: all. */
  messagesPerMinute: number
  /** Where a digest leads. */
  alertsPage: string
}

export interface Delivery {
  /** Something new is waiting. */
  wake(): void
  /** Takes nothing up any more and waits for the tries that are under way. */
  stop(): Promise<void>
}

const SUPERSEDED = 'Not sent: by then there was later news of the check.'
/** Signals can get lost, and what is due may be held back for want of places. */
const LOOK_AGAIN_MS = 10_000
const LOOK_AGAIN_WHEN_HELD_BACK_MS = 1000
const DROP_SUPERSEDED_EVERY_MS = 60_000
const MAKE_DIGESTS_EVERY_MS = 1000
const FALL_BACK_EVERY_MS = 10_000
const STOP_LIMIT_MS = 30_000
const RECORD_AGAIN_MS = 500

export function startDelivery({
  db,
  secrets,
  log,
  egress,
  mailer,
  channels: settings,
  acknowledgeLink = () => null,
  messagesPerMinute,
  alertsPage,
  ...given
}: DeliveryParts): Delivery {
  const times: DeliveryTimes = {
    retries: RETRY_TIMES,
    tryLimitMs: 25_000,
    leaseMs: 30_000,
    supersedeAfterMs: 600_000,
    minuteMs: 60_000,
    gatherMs: 10_000,
    fallbackAfterMs: FALLBACK_AFTER_MS,
    ...given,
  }
  const policy = egressPolicy('channel', { allow: [...egress.allow], deny: [...egress.deny] })
  const places = new Places()
  const pace = { perMinute: messagesPerMinute, minuteMs: times.minuteMs }
  const tries = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let taking: Promise<void> | null = null
  let wokenMeanwhile = false
  let dropSupersededAt = 0
  let makeDigestsAt = 0
  let fallBackAt = 0
  let inTrouble = false
  let stopped = false

  function wake(): void {
    if (stopped) return
    if (taking !== null) {
      wokenMeanwhile = true
      return
    }
    clearTimeout(timer)
    wokenMeanwhile = false
    taking = takeUp()
      .then((nextMs) => {
        inTrouble = false
        return nextMs
      })
      .catch((error: unknown) => {
        // Once for an outage of the database, not once a second.
        if (!inTrouble) log.error('Notifications cannot be taken up', { error })
        inTrouble = true
        return LOOK_AGAIN_WHEN_HELD_BACK_MS
      })
      .then((nextMs) => {
        taking = null
        if (stopped) return
        if (wokenMeanwhile) wake()
        else timer = setTimeout(wake, nextMs)
      })
  }

  /** Starts what can be started and answers when to look again. */
  async function takeUp(): Promise<number> {
    // Before anything is dropped: the fallback may be the only one who hears of it.
    if (performance.now() >= fallBackAt) {
      await fallBackOverdue(db, times.fallbackAfterMs)
      fallBackAt = performance.now() + FALL_BACK_EVERY_MS
    }
    if (performance.now() >= dropSupersededAt) {
      await tidy('Notifications that later news replaces cannot be dropped', dropSuperseded)
      dropSupersededAt = performance.now() + DROP_SUPERSEDED_EVERY_MS
    }
    if (performance.now() >= makeDigestsAt) {
      const { gatherMs, supersedeAfterMs } = times
      await tidy('Digests cannot be made', () => makeDigests(db, { ...pace, gatherMs, supersedeAfterMs }, alertsPage))
      makeDigestsAt = performance.now() + MAKE_DIGESTS_EVERY_MS
    }
    const wish = places.wish()
    if (wish.limit > 0) {
      const leased = await store.leaseNotifications(db, {
        ...wish,
        pace,
        leaseMs: times.leaseMs,
        supersedeAfterMs: times.supersedeAfterMs,
      })
      for (const notification of leased) start(notification)
    }
    const dueInMs = await store.msUntilNextDue(db)
    if (dueInMs === null) return LOOK_AGAIN_MS
    if (dueInMs <= 0) return LOOK_AGAIN_WHEN_HELD_BACK_MS
    return Math.min(Math.ceil(dueInMs) + 1, LOOK_AGAIN_MS)
  }

  /** Whatever becomes of it, messages go out. */
  async function tidy(trouble: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.error(trouble, { error })
    }
  }

  async function dropSuperseded(): Promise<void> {
    const superseded = await store.findSuperseded(db, times.supersedeAfterMs)
    if (superseded.length === 0) return
    const masked = superseded.map(({ id, type, config }) => ({ id, used: maskedConfig(type, config) }))
    await store.recordSuperseded(db, masked, SUPERSEDED)
  }

  function start(notification: store.LeasedNotification): void {
    places.take(notification.channelId)
    const tried = tryOnce(notification)
      .catch((error: unknown) => {
        log.error('The outcome of a notification cannot be recorded', { error, notification: notification.id })
        return false
      })
      .then((delivered) => {
        places.giveBack(notification.channelId, delivered)
        tries.delete(tried)
        wake()
      })
    tries.add(tried)
  }

  /** Without a link a message still says what there is to say. */
  function linkOf({ id, channelId, message }: store.LeasedNotification): SecretLink | null {
    // A digest is about no single trouble.
    if (message.IS_DIGEST) return null
    try {
      return acknowledgeLink(message, channelId)
    } catch (error) {
      log.error('A notification goes without its link to acknowledge', { error, notification: id, channel: channelId })
      return null
    }
  }

  /** Answers whether the message was accepted. */
  async function tryOnce(notification: store.LeasedNotification): Promise<boolean> {
    const { id, channelId, tries: before, leasedUntil, ageMs } = notification
    const link = linkOf(notification)
    let { channel } = notification
    const { type } = channel
    const message = {
      ...notification.message,
      ACKNOWLEDGE_LINK: link?.url ?? '',
      DELIVERY_NOTE: deliveryNote({
        type,
        ageMs,
        triesBefore: before,
        fallbackFor: notification.message.FALLBACK_FOR,
      }),
    }
    const begun = performance.now()
    const leaseEndsAt = begun + times.leaseMs
    const deadline = new AbortController()
    const timeout = setTimeout(() => deadline.abort(), times.tryLimitMs)
    const context: DeliveryContext = {
      deliveryId: id,
      now: new Date(),
      egress: policy,
      mailer,
      signal: deadline.signal,
      settings,
    }
    const { outcome, error } = await open(notification)
      .then((opened) => {
        channel = opened
        return send(channel, message, context)
      })
      .then((exchange) => ({ outcome: withoutSecret(exchange.outcome, link), error: null }))
      .catch((reason: unknown) => {
        if (reason instanceof DeliveryError) return { outcome: withoutSecret(reason.message, link), error: reason }
        log.error('A channel is in trouble of its own', { error: reason, notification: id, channel: channelId })
        return { outcome: 'Not sent: the monitor itself is in trouble.', error: new DeliveryError('') }
      })
    clearTimeout(timeout)

    const shown = { ...message, ACKNOWLEDGE_LINK: withoutSecret(message.ACKNOWLEDGE_LINK, link) }
    const used = usedConfig(channel, shown, context)
    const triedSoFar = before + 1
    const retryInMs =
      error &&
      nextTryAfter(times.retries[type], {
        deliveryId: id,
        tries: triedSoFar,
        retry: error.retry,
        retryAfterMs: error.retryAfterMs,
      })
    if (error !== null && retryInMs === null)
      log.warn('A notification could not be delivered', { notification: id, channel: channelId, tries: triedSoFar })
    await stubbornly(async () => {
      if (error === null) return recordDelivered({ id, outcome, used }, notification.message)
      const waitedMs = notification.waitedMs + performance.now() - begun
      await db.transaction().execute(async (tx) => {
        const isOurs = await store.recordFailedTry(tx, { id, outcome, used, leasedUntil, retryInMs })
        if (isOurs && isFallbackDue(waitedMs, retryInMs, times.fallbackAfterMs)) await fallBack(tx, id)
      })
    }, leaseEndsAt)
    return error === null
  }

  async function recordDelivered(delivered: store.TriedNotification, told: AlertMessage): Promise<void> {
    if (!told.IS_DIGEST && newsOf(told.ALERT_TYPE) !== 'recovery') return store.recordDelivered(db, delivered)
    await db.transaction().execute(async (tx) => {
      await store.recordDelivered(tx, delivered)
      await tellEnd(tx, delivered.id)
    })
  }

  /** Trouble with one channel's secrets is trouble of its own notifications. */
  async function open({ accountId, channelId, channel, sealed }: store.LeasedNotification): Promise<ChannelSetUp> {
    const { type, config } = channel
    return channelSetUp(type, openConfig<ChannelType>(secrets, { accountId, channelId }, config, sealed))
  }

  /** What was sent and cannot be recorded is sent again: worth some patience with the database, while the lease lasts. */
  async function stubbornly(record: () => Promise<void>, untilMs: number): Promise<void> {
    for (;;) {
      try {
        return await record()
      } catch (error) {
        if (stopped || performance.now() + RECORD_AGAIN_MS > untilMs) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, RECORD_AGAIN_MS))
    }
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await taking
      const limit = Promise.withResolvers<void>()
      const giveUp = setTimeout(limit.resolve, STOP_LIMIT_MS)
      await Promise.race([Promise.all(tries), limit.promise])
      clearTimeout(giveUp)
    },
  }
}

/** Whoever reads the log has not been sent the message. */
function withoutSecret(text: string, link: SecretLink | null): string {
  return link === null ? text : text.replaceAll(link.secret, MASK)
}

const MASK = '********'

/** What the log shows of the configuration. */
function usedConfig(
  channel: ChannelSetUp,
  message: AlertMessage,
  context: DeliveryContext,
): ChannelConfig<ChannelType> {
  try {
    return maskedConfig(channel.type, configInUse(channel, message, context))
  } catch {
    // It only shows what was sent: trouble with it must not keep the outcome from being recorded.
    return maskedConfig(channel.type, channel.config)
  }
}
