/**
 * Public status pages: at `/status/{url}`, and at the root of a domain of their own. They are documents for people and
 * feeds, and no part of the API.
 */
import { problemOfDomain, problemOfSubDomain } from '@vedette/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../app-error.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { isDatabaseAway, isTakingTooLong } from '../../db/database-away.ts'
import { statusPageAddress } from '../../links.ts'
import type { Copy } from '../../pages/copies.ts'
import { historyDocument, incidentDocument, statusDocument } from '../../pages/status/documents.ts'
import { feeds } from '../../pages/status/feeds.ts'
import { FEEDS, messagePage, type Showing } from '../../pages/status/frame.ts'
import type { Admit, StatusPages } from '../../pages/status/public-pages.ts'
import type { PageAddress, PublicPage } from '../../pages/status/store.ts'
import type { Subscribers } from '../../subscribers/enqueue.ts'
import type { CallsInHand } from '../calls-in-hand.ts'
import type { RateLimits } from '../rate-limits.ts'
import { serveSubscriptions } from './subscriptions.ts'

const CACHE_CONTROL = 'public, max-age=15'
const RETRY_AFTER_SECONDS = '10'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const HIGHEST_PAGE = 10_000

const NOT_FOUND = messagePage({ title: 'Not found', text: 'There is no status page at this address.' })
const AWAY = messagePage({
  title: 'Not available',
  text: 'This status page cannot be shown for the moment. Please try again soon.',
})

const TOO_MANY = messagePage({
  title: 'Too many requests',
  text: 'A great many pages were asked for from your address. Please try again in a minute.',
})

/** A document, unless it has another type. Only documents have a policy. */
interface Written {
  type?: string
  text: string
  policy: string | null
}

/** Answers what a handler could not, if it is about a domain of a page; false otherwise. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

export interface PublicPageParts {
  db: Db
  clock: Clock
  pages: StatusPages
  limits: RateLimits
  subscribers: Subscribers
  publicUrl: string
  inHand: CallsInHand
  /** Whether mail can be asked for: there is a mail server. */
  takesSubscribers: boolean
}

export async function servePublicPages(app: FastifyInstance, parts: PublicPageParts): Promise<AnswerUnknown> {
  const { pages, limits, publicUrl, inHand, takesSubscribers } = parts
  const ownHost = new URL(publicUrl).hostname

  /** Where a request looks; null where there can be no page. */
  const place = (request: FastifyRequest): { address: PageAddress; base: string } | null => {
    const params: { url?: string } = Object(request.params)
    if (params.url === undefined) {
      const domain = request.hostname.toLowerCase().replace(/\.$/, '')
      // Nobody's page may stand where the application is.
      return domain === ownHost || problemOfDomain(domain) !== null ? null : { address: { domain }, base: '' }
    }
    const url = params.url.toLowerCase()
    return problemOfSubDomain(url) === null ? { address: { url }, base: `/status/${url}` } : null
  }

  /** Serves it below `/status/{url}` and, with the same path, on domains of pages; elsewhere as if it were not there. */
  const serve = <View extends { page: PublicPage; asOfMs: number }>(
    path: string,
    find: (address: PageAddress, request: FastifyRequest, admit: Admit) => Promise<Copy<View | null>> | null,
    write: (view: View, showing: Showing) => Written,
  ) => {
    // What is written of a copy is kept with it, for as long as it is.
    const written = new WeakMap<View, Map<string, Written>>()
    const writeOnce = (view: View, showing: Showing): Written => {
      if (showing.oldMs !== null) return write(view, showing)
      const texts = written.get(view) ?? new Map<string, Written>()
      written.set(view, texts)
      const text = texts.get(showing.base) ?? write(view, showing)
      texts.set(showing.base, text)
      return text
    }
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const where = place(request)
      if (where === null) return onDomain(request) ? reply.callNotFound() : answerNotFound(reply)
      let copy: Copy<View | null> | null
      try {
        copy = await find(where.address, request, () => limits.chargePage(request, reply))
      } catch (error) {
        return answerTrouble(reply, error)
      }
      if (copy === null || copy.value === null) {
        return onDomain(request) ? reply.callNotFound() : answerNotFound(reply)
      }
      const { value: view, isOld, ageMs } = copy
      const showing = {
        base: where.base,
        canonical: statusPageAddress(publicUrl, view.page),
        asOfMs: view.asOfMs,
        oldMs: isOld && ageMs >= SLIGHTLY_OLD_MS ? ageMs : null,
        takesSubscribers,
      }
      return send(reply.header('cache-control', CACHE_CONTROL), 200, writeOnce(view, showing))
    }
    const options = {
      onRequest: async (_request: FastifyRequest, reply: FastifyReply) => inHand.follow(reply.raw),
      handler,
    }
    app.get(`/status/:url${path}`, options)
    app.get(path === '' ? '/' : path, options)
  }

  serve('', (address, _request, admit) => pages.status(address, admit), statusDocument)
  serve(
    '/history',
    (address, request, admit) => {
      const number = pageNumber(request)
      return number === null ? null : pages.history(address, number, admit)
    },
    historyDocument,
  )
  serve(
    '/incidents/:incidentId',
    (address, request, admit) => {
      const { incidentId = '' }: { incidentId?: string } = Object(request.params)
      return UUID.test(incidentId) ? pages.incident(address, incidentId, admit) : null
    },
    incidentDocument,
  )
  for (const { file, type } of FEEDS) {
    serve(
      `/${file}`,
      (address, _request, admit) => pages.status(address, admit),
      (view, { canonical }) => ({ type, text: feeds[file](view, canonical), policy: null }),
    )
  }
  await serveSubscriptions(app, {
    ...parts,
    place,
    showing: (page, { asOfMs, base }) => ({
      ...{ base, asOfMs, takesSubscribers, oldMs: null },
      canonical: statusPageAddress(publicUrl, page),
    }),
    answerNotFound,
    answerTrouble,
  })
  app.get('/status/*', async (_request, reply) => answerNotFound(reply))

  return async (request, reply) => {
    const where = onDomain(request) ? place(request) : null
    if (where === null) return false
    try {
      const { value } = await pages.status(where.address, () => limits.chargePage(request, reply))
      if (value === null) return false
    } catch (error) {
      answerTrouble(reply, error)
      return true
    }
    answerNotFound(reply)
    return true
  }
}

/** Younger than this, nobody need be told: it is within what caches keep anyway. */
const SLIGHTLY_OLD_MS = 20_000

function onDomain(request: FastifyRequest): boolean {
  return !/^\/status\//.test(request.url)
}

/** Null for what is no number of a page. */
function pageNumber(request: FastifyRequest): number | null {
  const { page = '1' }: { page?: unknown } = Object(request.query)
  if (typeof page !== 'string' || !/^[1-9]\d{0,4}$/.test(page)) return null
  return Number(page) <= HIGHEST_PAGE ? Number(page) : null
}

function answerNotFound(reply: FastifyReply): FastifyReply {
  return send(reply.header('cache-control', CACHE_CONTROL), 404, NOT_FOUND)
}

/** It was logged where it happened. @throws what is neither trouble of the database nor somebody's who asks too often. */
function answerTrouble(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof AppError && error.code === 'too-many')
    return send(reply.header('cache-control', 'no-store'), 429, TOO_MANY)
  if (!isDatabaseAway(error) && !isTakingTooLong(error)) throw error
  reply.header('retry-after', RETRY_AFTER_SECONDS).header('cache-control', 'no-store')
  return send(reply, 503, AWAY)
}

function send(reply: FastifyReply, status: number, { type = 'text/html', text, policy }: Written): FastifyReply {
  if (policy !== null) reply.header('content-security-policy', policy)
  return reply.code(status).type(`${type}; charset=utf-8`).send(text)
}
