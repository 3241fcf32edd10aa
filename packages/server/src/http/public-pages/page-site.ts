/**
 * Where public pages are: each kind below a path of its own, `/status/{url}` say, and with the same paths at the root of
 * the domains of its pages. They are documents for people, and no part of the API.
 */
import { problemOfDomain, problemOfSubDomain } from '@vedette/core'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { AppError } from '../../app-error.ts'
import { isDatabaseAway, isTakingTooLong } from '../../db/database-away.ts'
import type { Admit } from '../../pages/copies.ts'
import { messagePage } from '../../pages/message-page.ts'
import type { PageAddress } from '../../pages/page-address.ts'
import type { CallsInHand } from '../calls-in-hand.ts'
import type { RateLimits } from '../rate-limits.ts'

export const CACHE_CONTROL = 'public, max-age=15'
const RETRY_AFTER_SECONDS = '10'
/** After what ten seconds do not mend. */
const LATER_SECONDS = '60'

/** Younger than this, nobody need be told that what they see is old: it is within what caches keep anyway. */
export const SLIGHTLY_OLD_MS = 20_000

/** Something that is sent. */
export interface Written {
  /** A document, unless it has another one. */
  type?: string
  text: string
  /** For the header `content-security-policy`. */
  policy: string
}

/** Of what is no document of ours, should somebody open it as one. */
export const LOADS_NOTHING = "default-src 'none'; frame-ancestors 'none'"

/** Where a request looks for a page. */
export interface Place {
  address: PageAddress
  /** Before the paths of the page: `/status/shop`, or nothing on a domain of its own. */
  base: string
}

export interface PageRoute {
  method?: HTTPMethods
  path: string
  /** Null when there is nothing there. */
  answer: (place: Place, request: FastifyRequest, reply: FastifyReply, admit: Admit) => Promise<FastifyReply | null>
}

/** A kind of public page. */
export interface PageKind {
  /** The path that its pages are below, without slashes. */
  prefix: string
  /** What people call it. */
  name: string
  exists: (address: PageAddress, admit: Admit) => Promise<boolean>
  routes: readonly PageRoute[]
}

/** Answers what a handler could not, if it is about a domain of a page; false otherwise. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

export function servePages(
  app: FastifyInstance,
  kinds: readonly PageKind[],
  { publicUrl, inHand, limits }: { publicUrl: string; inHand: CallsInHand; limits: RateLimits },
): AnswerUnknown {
  const options = {
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) => inHand.follow(reply.raw),
    // Forms are the only bodies, and no JSON.
    config: { takesBody: false, takesText: true },
  }

  const admission = (request: FastifyRequest, reply: FastifyReply) => () => limits.chargePage(request, reply)

  const onDomains = new Map<string, { kind: PageKind; route: PageRoute }[]>()
  for (const kind of kinds) {
    for (const route of kind.routes) {
      const { method = 'GET', path } = route
      app.route({
        ...options,
        method,
        url: `/${kind.prefix}/:url${path}`,
        handler: async (request, reply) => {
          const place = placeBelow(request, kind)
          if (place === null) return answerNotFound(reply, kind)
          const answer = await answerUnlessTrouble(
            () => route.answer(place, request, reply, admission(request, reply)),
            kind,
            reply,
          )
          return answer ?? answerNotFound(reply, kind)
        },
      })
      const others = onDomains.get(`${method} ${path}`) ?? []
      onDomains.set(`${method} ${path}`, [...others, { kind, route }])
    }
    app.get(`/${kind.prefix}/*`, async (_request, reply) => answerNotFound(reply, kind))
  }

  for (const candidates of onDomains.values()) {
    const [first] = candidates
    if (first === undefined) continue
    const { method = 'GET', path } = first.route
    app.route({
      ...options,
      method,
      url: path === '' ? '/' : path,
      handler: async (request, reply) => {
        const place = placeOnDomain(request, publicUrl)
        if (place === null) return reply.callNotFound()
        // A domain has one page at most, of whichever kind.
        for (const { kind, route } of candidates) {
          const answer = await answerUnlessTrouble(
            () => route.answer(place, request, reply, admission(request, reply)),
            kind,
            reply,
          )
          if (answer !== null) return answer
        }
        return reply.callNotFound()
      },
    })
  }

  return async (request, reply) => {
    const isBelowPrefix = kinds.some(({ prefix }) => request.url.startsWith(`/${prefix}/`))
    const place = isBelowPrefix ? null : placeOnDomain(request, publicUrl)
    if (place === null) return false
    for (const kind of kinds) {
      const answer = await answerUnlessTrouble(
        async () => {
          const isThere = await kind.exists(place.address, admission(request, reply))
          return isThere ? answerNotFound(reply, kind) : null
        },
        kind,
        reply,
      )
      if (answer !== null) return true
    }
    return false
  }
}

export function send(reply: FastifyReply, status: number, { type = 'text/html', text, policy }: Written): FastifyReply {
  return reply.code(status).header('content-security-policy', policy).type(`${type}; charset=utf-8`).send(text)
}

/** What names a kind of page. */
type KindNames = Pick<PageKind, 'prefix' | 'name'>

/** Null where there can be no page: nobody's may stand where the application is. */
export function placeOnDomain(request: FastifyRequest, publicUrl: string): Place | null {
  const domain = request.hostname.toLowerCase().replace(/\.$/, '')
  return domain === new URL(publicUrl).hostname || problemOfDomain(domain) !== null
    ? null
    : { address: { domain }, base: '' }
}

/** Where the `:url` of the path leads; null for what no page can be called. */
export function placeBelow(request: FastifyRequest, { prefix }: KindNames): Place | null {
  const { url = '' }: { url?: string } = Object(request.params)
  const name = url.toLowerCase()
  return problemOfSubDomain(name) === null ? { address: { url: name }, base: `/${prefix}/${name}` } : null
}

export function answerNotFound(reply: FastifyReply, { name }: KindNames): FastifyReply {
  const page = messagePage({ title: 'Not found', text: `There is no ${name} at this address.` })
  return send(reply.header('cache-control', CACHE_CONTROL), 404, page)
}

const TOO_MANY = messagePage({
  title: 'Too many requests',
  text: 'A great many pages were asked for from your address. Please try again in a minute.',
})

/**
 * It was logged where it happened. A screen on a wall tries again by itself.
 *
 * @throws what is neither trouble of the database nor somebody's who asks too often.
 */
export function answerTrouble(reply: FastifyReply, error: unknown, { name }: KindNames): FastifyReply {
  reply.header('cache-control', 'no-store').header('refresh', LATER_SECONDS)
  if (error instanceof AppError && error.code === 'too-many') return send(reply, 429, TOO_MANY)
  if (!isDatabaseAway(error) && !isTakingTooLong(error)) throw error
  reply.header('retry-after', RETRY_AFTER_SECONDS).header('refresh', RETRY_AFTER_SECONDS)
  const text = `This ${name} cannot be shown for the moment. It is tried again every ${RETRY_AFTER_SECONDS} seconds.`
  return send(reply, 503, messagePage({ title: 'Not available', text }))
}

async function answerUnlessTrouble(
  answer: () => Promise<FastifyReply | null>,
  kind: PageKind,
  reply: FastifyReply,
): Promise<FastifyReply | null> {
  try {
    return await answer()
  } catch (error) {
    return answerTrouble(reply, error, kind)
  }
}
