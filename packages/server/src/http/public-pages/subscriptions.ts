/** How readers of a status page ask for mail, and what the links in those mails lead to. No key, no session, no scripts. */
import { shouldAsk } from '@vedette/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../app-error.ts'
import { isKey } from '../../auth/keys.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { isMailAddress } from '../../mail/mail-settings.ts'
import type { PublicDocument } from '../../pages/document.ts'
import { messagePage } from '../../pages/message-page.ts'
import type { PageAddress } from '../../pages/page-address.ts'
import type { Showing } from '../../pages/status/frame.ts'
import type { StatusPages } from '../../pages/status/public-pages.ts'
import type { PublicPage } from '../../pages/status/store.ts'
import * as documents from '../../pages/status/subscribe.ts'
import type { Subscribers } from '../../subscribers/enqueue.ts'
import * as store from '../../subscribers/store.ts'
import type { CallsInHand } from '../calls-in-hand.ts'
import type { RateLimits } from '../rate-limits.ts'

/** Room for an address, whatever it is encoded as. */
const FORM_BYTES = 4096
const PROBLEM = 'This is not an address that mail can be sent to.'

const GONE = messagePage({
  title: 'This link is not good any more',
  text: 'It was good for two days, or ended with the subscription. You can ask for news again on the status page.',
})
const NO_MORE = messagePage({
  title: 'You are unsubscribed',
  text: 'No more news will come to your address because of this link.',
})
/** It may have been good once, or never: nobody can tell. */
const NOT_SUBSCRIBED = messagePage({
  title: 'You are not subscribed',
  text: 'No news comes to your address because of this link. If some still comes, open the link in the newest of the mails.',
})
const DAMAGED = messagePage({
  title: 'This link is not whole',
  text: 'It was cut or changed on its way, and nothing was done. Open it from the mail again, or copy all of it.',
})
const FROM_ELSEWHERE = messagePage({
  title: 'Not accepted',
  text: 'This form was sent by another site. Please use the one on the status page.',
})

export interface SubscriptionParts {
  db: Db
  clock: Clock
  pages: StatusPages
  limits: RateLimits
  subscribers: Subscribers
  inHand: CallsInHand
  /** Whether mail can be asked for: there is a mail server. */
  takesSubscribers: boolean
  /** Where a request looks; null where there can be no page. */
  place: (request: FastifyRequest) => { address: PageAddress; base: string } | null
  showing: (page: PublicPage, view: { asOfMs: number; base: string }) => Showing
  answerNotFound: (reply: FastifyReply) => FastifyReply
  answerTrouble: (reply: FastifyReply, error: unknown) => FastifyReply
}

export async function serveSubscriptions(app: FastifyInstance, parts: SubscriptionParts): Promise<void> {
  const { db, pages, limits, inHand, place } = parts

  const onRequest = async (_request: FastifyRequest, reply: FastifyReply) => {
    inHand.follow(reply.raw)
    reply.header('cache-control', 'no-store')
  }

  interface Found {
    page: PublicPage
    showing: Showing
  }
  const find = async (
    where: { address: PageAddress; base: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Found | null> => {
    const { value: view } = await pages.status(where.address, () => limits.chargePage(request, reply))
    if (view === null) return null
    return { page: view.page, showing: parts.showing(view.page, { asOfMs: view.asOfMs, base: where.base }) }
  }

  /** On a status page, below its path or on its domain; elsewhere as if it were not there. */
  const onPage =
    (answer: (found: Found, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        const where = place(request)
        const found = where === null ? null : await find(where, request, reply)
        if (found !== null) return await answer(found, request, reply)
      } catch (error) {
        return parts.answerTrouble(reply, error)
      }
      return request.url.startsWith('/status/') ? parts.answerNotFound(reply) : reply.callNotFound()
    }

  const form = onPage(async ({ page, showing }, _request, reply) =>
    send(reply, 200, documents.subscribeDocument(page, showing)),
  )
  const subscribe = onPage(async ({ page, showing }, request, reply) => {
    if (isFromElsewhere(request)) return send(reply, 403, FROM_ELSEWHERE)
    const given =
      typeof request.body === 'string' ? new URLSearchParams(request.body).get(documents.ADDRESS_FIELD) : null
    const address = (given ?? '').trim()
    if (!isMailAddress(address)) {
      return send(reply, 400, documents.subscribeDocument(page, showing, { address, problem: PROBLEM }))
    }
    try {
      if (limits.chargeSubscribing(address, request, reply)) await ask(page, address)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too-many') throw error
      return send(reply, 429, documents.tooManyDocument(page, showing))
    }
    return send(reply, 200, documents.askedDocument(page, showing, address))
  })

  const ask = ({ url }: PublicPage, address: string) =>
    db.transaction().execute(async (tx) => {
      const page = await store.findPageId(tx, url)
      if (page === undefined) return
      const { id, known } = await store.lockSubscription(tx, page, address)
      if (shouldAsk(known, parts.clock.nowMs())) await parts.subscribers.ask(tx, [id])
    })

  if (parts.takesSubscribers) {
    await app.register(async (scope) => {
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: FORM_BYTES },
        (_request, body, done) => done(null, body),
      )
      for (const url of ['/status/:url/subscribe', '/subscribe']) {
        scope.get(url, { onRequest, handler: form })
        scope.post(url, { onRequest, handler: subscribe })
      }
    })
  }

  /** What the link in a mail leads to; the page is looked for when it is asked for. Null: no such link. */
  const withLink =
    (
      answer: (
        findPage: (() => Promise<Found | null>) | null,
        token: string,
        reply: FastifyReply,
      ) => Promise<FastifyReply>,
    ) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { token = '' }: { token?: string } = Object(request.params)
      try {
        const named = await store.findByToken(db, token)
        if (named === undefined) {
          limits.chargeFailure(request, reply)
          return await answer(null, token, reply)
        }
        const isOnOwnDomain = request.hostname.toLowerCase() === named.customDomain
        const base = isOnOwnDomain ? '' : `/status/${named.url}`
        return await answer(() => find({ address: { url: named.url }, base }, request, reply), token, reply)
      } catch (error) {
        return parts.answerTrouble(reply, error)
      }
    }
  const answerNotSubscribed = (token: string, reply: FastifyReply) =>
    isKey('subscriber', token) ? send(reply, 200, NOT_SUBSCRIBED) : send(reply, 404, DAMAGED)

  // Asking for the headers alone agrees to nothing.
  app.get('/subscriptions/:token/verify', {
    onRequest,
    exposeHeadRoute: false,
    handler: withLink(async (findPage, token, reply) => {
      const found = await findPage?.()
      return found && (await store.verify(db, token))
        ? send(reply, 200, documents.verifiedDocument(found.page, found.showing))
        : send(reply, 404, GONE)
    }),
  })
  // Opened by people, and by what looks into their mail: it only asks.
  app.get('/subscriptions/:token/unsubscribe', {
    onRequest,
    handler: withLink(async (findPage, token, reply) => {
      const found = await findPage?.()
      return found
        ? send(reply, 200, documents.unsubscribeDocument(found.page, found.showing))
        : answerNotSubscribed(token, reply)
    }),
  })
  // Sent by the form, and by mail programs with one click (RFC 8058): what they send along means nothing.
  app.post('/subscriptions/:token/unsubscribe', {
    onRequest,
    config: { takesBody: false },
    handler: withLink(async (findPage, token, reply) => {
      // First of all: it must not fail because the page cannot be shown now.
      const isDone = await store.unsubscribe(db, token)
      if (findPage === null) return isDone ? send(reply, 200, NO_MORE) : answerNotSubscribed(token, reply)
      const found = await findPage().catch(() => {
        // It was logged where it happened.
        reply.removeHeader('retry-after')
        return null
      })
      return found === null
        ? send(reply, 200, NO_MORE)
        : send(reply, 200, documents.unsubscribedDocument(found.page, found.showing))
    }),
  })
}

/** Browsers say so where they can; others cannot be made to send a form. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function send(reply: FastifyReply, status: number, { text, policy }: PublicDocument): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').header('content-security-policy', policy).send(text)
}
