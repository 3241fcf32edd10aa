/**
 * Writes the mails of news that are due, and sends those that wait: takes one, sends it, records it. In this order, so that a server that dies at any moment leaves
 * a mail which another one sends again, as the same message.
 *
 * Alerts come first: mails have few hands and an even pace, however many wait.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isGivenUp, mailRetryDelayMs } from '@vedette/core'
import type { Db } from '../db/database.ts'
import { statusPageAddress, subscriptionAddress } from '../links.ts'
import type { Log } from '../log.ts'
import { MailError } from '../mail/mail-error.ts'
import type { Mailer } from '../mail/mailer.ts'
import { maskAddresses } from '../mail/mask-address.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { layOutNews, layOutQuestion } from './mail-text.ts'
import * as store from './store.ts'
import { msUntilNextNews, writeMails } from './write.ts'

export interface SendingTimes {
  /** From the beginning of one mail to that of the next. */
  everyMs: number
  /** Ends a try; shorter than the lease, so that the outcome is recorded within it. */
  tryLimitMs: number
  /** After it, another server may send what this one has in hand. */
  leaseMs: number
  /** While the mail server is away, from one try to the next: at first, and at most. */
  pauseMs: number
  longestPauseMs: number
}

export interface SendingParts extends Partial<SendingTimes> {
  db: Db
  secrets: Secrets
  mailer: Mailer
  publicUrl: string
  log: Log
}

export interface Sending {
  /** Something new is waiting. */
  wake(): void
  /** Takes nothing up any more and waits for what is under way. */
  stop(): Promise<void>
}

/** One for each sort, which takes the other when there is none of its own. The mailer has more connections than that. */
const HANDS = store.MAIL_SORTS
const LOOK_AGAIN_MS = 10_000
const TROUBLE_MS = 1000

export function startSending({ db, secrets, mailer, publicUrl, log, ...given }: SendingParts): Sending {
  const times: SendingTimes = {
    everyMs: 100,
    tryLimitMs: 25_000,
    leaseMs: 60_000,
    pauseMs: 5000,
    longestPauseMs: 300_000,
    ...given,
  }
  const stopping = new AbortController()
  let news = Promise.withResolvers<void>()
  let nextAt = 0
  let pauseMs = 0
  let pausedUntil = 0
  let inTrouble = false

  function send(sort: store.MailSort): Promise<void> {
    const others = store.MAIL_SORTS.filter((other) => other !== sort)
    return work(async () => {
      // Leased when its turn has come: what waits here could be withdrawn meanwhile.
      await turn()
      const mail = await take([sort, ...others])
      if (mail !== undefined) await sendOne(mail)
      return mail !== undefined
    }, store.msUntilNextMail)
  }

  /** Does one thing after another; when there was none, rests until the next, or until there is something new. */
  async function work(step: () => Promise<boolean>, msUntilNext: (db: Db) => Promise<number | null>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const heard = news.promise
        const isDone = await step()
        inTrouble = false
        if (!isDone) await Promise.race([heard, rest(restMs(await msUntilNext(db)))])
      } catch (error) {
        if (stopping.signal.aborted) return
        // Once for an outage of the database, not once a second.
        if (!inTrouble) log.error('Mails to subscribers cannot be taken up', { error })
        inTrouble = true
        await rest(TROUBLE_MS)
      }
    }
  }

  async function take(sorts: readonly store.MailSort[]): Promise<store.LeasedMail | undefined> {
    for (const sort of sorts) {
      const mail = await store.leaseMail(db, sort, times.leaseMs)
      if (mail !== undefined) return mail
    }
    return undefined
  }

  async function turn(): Promise<void> {
    for (;;) {
      const now = performance.now()
      const at = Math.max(now, nextAt, pausedUntil)
      nextAt = at + times.everyMs
      if (at > now) await rest(at - now)
      if (stopping.signal.aborted || performance.now() >= pausedUntil) return
    }
  }

  function restMs(ms: number | null): number {
    return Math.min(Math.max(ms ?? LOOK_AGAIN_MS, TROUBLE_MS / 10), LOOK_AGAIN_MS)
  }

  /** Ends early when the server stops. */
  async function rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  }

  async function sendOne(mail: store.LeasedMail): Promise<void> {
    const { id, news, page, subscription } = mail
    if (stopping.signal.aborted) return
    // The page does not show the services any more.
    if (news !== null && news.services.length === 0) return store.dropMail(db, id)
    try {
      const own = subscriptionAddress(publicUrl, page, await store.tokenOf(db, secrets, subscription))
      const links = {
        page: statusPageAddress(publicUrl, page),
        verify: `${own}/verify`,
        unsubscribe: `${own}/unsubscribe`,
      }
      const written = news === null ? layOutQuestion(page.name, links) : layOutNews(page.name, news, links)
      await mailer.send(
        {
          ...written,
          id,
          threadId: news?.incidentId ?? null,
          to: subscription.address,
          headers: {
            'List-Unsubscribe': `<${links.unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        },
        AbortSignal.timeout(times.tryLimitMs),
      )
    } catch (error) {
      if (!(error instanceof MailError))
        log.error('A mail to a subscriber is in trouble of our own', { error, mail: id })
      return recordTrouble(
        mail,
        error instanceof MailError ? error : new MailError('', { retry: true, about: 'message' }),
      )
    }
    pauseMs = 0
    await store.recordSent(db, mail)
  }

  async function recordTrouble(mail: store.LeasedMail, error: MailError): Promise<void> {
    const { id, subscription, tries } = mail
    const about = { mail: id, to: maskAddresses(subscription.address), reason: maskAddresses(error.message) }
    if (error.about === 'server') {
      pauseMs = Math.min(Math.max(times.pauseMs, 2 * pauseMs), times.longestPauseMs)
      pausedUntil = performance.now() + pauseMs
    }
    if (!error.retry && error.about === 'recipient') {
      const refusals = await store.recordRefusal(db, mail, error.message)
      if (refusals === undefined || !isGivenUp(refusals)) return log.info('A subscriber’s address was refused', about)
      await store.removeSubscription(db, subscription.id)
      return log.warn('A subscriber was removed: the address is refused again and again', { ...about, refusals })
    }
    const delayMs = error.retry ? mailRetryDelayMs(tries + 1, Math.random()) : null
    if (delayMs !== null) return store.postponeMail(db, id, delayMs)
    log.warn('A mail to a subscriber could not be sent', { ...about, tries: tries + 1 })
    await store.dropMail(db, id)
  }

  // Written also while the mail server is away, to those who had agreed when it happened.
  const hands = [...HANDS.map(send), work(() => writeMails(db), msUntilNextNews)]
  return {
    wake() {
      news.resolve()
      news = Promise.withResolvers()
    },
    async stop() {
      stopping.abort()
      news.resolve()
      await Promise.all(hands)
    },
  }
}
