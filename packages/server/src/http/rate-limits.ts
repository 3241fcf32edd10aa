/** How often one may ask: token buckets in memory, each server its own. */
import { type Bucket, type Draw, draw, parseIp } from '@vedette/core'
import type { Rate, Route } from '@vedette/schema'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import type { Caller } from '../auth/caller.ts'
import { bearerOf } from '../auth/identify.ts'
import { hashKey } from '../auth/keys.ts'
import { isPaced } from './describe/traits.ts'

/** Pages of the web application ask for many small things at once. */
const SESSION_FACTOR = 5
/** Wrong keys, tokens and links from one address. */
const FAILURES: Rate = { requests: 60, seconds: 60 }
/** Tries to sign in from one address: for one name, and for all. Also with RATE_LIMIT=0: this is about guessing. */
const GUESSES: Rate = { requests: 10, seconds: 60 }
const GUESSES_OF_ALL: Rate = { requests: 60, seconds: 60 }
/** Who asks a status page for mail: from one address, and for one mail address whatever the page. Also with RATE_LIMIT=0. */
const SUBSCRIBING: Rate = { requests: 10, seconds: 600 }
const ASKED: Rate = { requests: 6, seconds: 3600 }
/** Whoever it is: so many questions a server brings upon strangers. */
const ASKED_OF_ALL: Rate = { requests: 1000, seconds: 3600 }
/** Pages made anew for one address. Those that are kept cost little, and many readers may share an address. */
const PAGES: Rate = { requests: 240, seconds: 60 }
/** Buckets of each sort; the one unused for longest goes first. */
const BUCKETS = 20_000

export class RateLimits {
  /** Apart, so that a flood of strangers does not make us forget what keys have used. */
  readonly #callers = new Buckets()
  readonly #addresses = new Buckets()
  /** Of secrets that proved right: many machines behind one address may each use one of their own. */
  readonly #tokens = new Buckets()
  readonly #charged = new WeakSet<FastifyRequest>()
  readonly #failures = new Buckets()
  readonly #guesses = new Buckets()
  readonly #subscribing = new Buckets()
  readonly #asked = new Buckets()
  readonly #pages = new Buckets()
  readonly #rate: Rate
  readonly #nowMs: () => number

  /** `requests` a minute; 0: as many as anyone likes. */
  constructor(requests: number, nowMs: () => number = Date.now) {
    this.#rate = { requests, seconds: 60 }
    this.#nowMs = nowMs
  }

  get #isOff(): boolean {
    return this.#rate.requests === 0
  }

  /**
   * Counts a call and says so in the answer's headers. One with a secret of its own that has not proved right is left to
   * `chargeProven` and `chargeFailure`. @throws AppError `too-many`.
   */
  charge(route: Route, caller: Caller | null, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#isOff || !isPaced(route)) return
    const token = tokenBucketOf(route, request)
    if (token === null) this.#answer(this.#drawFor(route, caller, request), reply)
    else if (this.#tokens.has(token)) this.#chargeToken(token, route, request, reply)
  }

  /**
   * The secret of a call proved right, and nothing was done yet. Only now it gets a bucket, so that whoever makes secrets up
   * neither uses those of others nor makes us forget them. @throws AppError `too-many`.
   */
  chargeProven(route: Route, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#isOff) return
    const token = tokenBucketOf(route, request)
    if (token !== null) this.#chargeToken(token, route, request, reply)
  }

  /** Once for each call, at the first opportunity. */
  #chargeToken(token: string, route: Route, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#charged.has(request)) return
    this.#charged.add(request)
    const rate = route.rate ?? this.#rate
    this.#answer({ rate, draw: this.#tokens.draw(token, rate, this.#nowMs()) }, reply)
  }

  #answer(drawn: { rate: Rate; draw: Draw }, reply: FastifyReply): void {
    tell(reply, drawn.rate, drawn.draw)
    refuseUnlessAllowed(drawn.draw, reply)
  }

  #drawFor(route: Route, caller: Caller | null, request: FastifyRequest): { rate: Rate; draw: Draw } {
    const of = (buckets: Buckets, name: string, rate: Rate) => ({ rate, draw: buckets.draw(name, rate, this.#nowMs()) })
    const rate = route.rate ?? this.#rate
    // With a rate of its own, a route has a bucket of its own.
    const suffix = route.rate === undefined ? '' : ` ${route.method} ${route.path}`
    if (caller?.session) {
      const name = `${caller.session.toString('base64')} ${caller.accountId}`
      return of(this.#callers, name, { ...this.#rate, requests: this.#rate.requests * SESSION_FACTOR })
    }
    if (caller !== null) return of(this.#callers, `${caller.keyId} ${caller.accountId}${suffix}`, rate)
    return of(this.#addresses, `${addressGroup(request.ip)}${suffix}`, rate)
  }

  /**
   * A key, token or link was wrong. It is looked up first and counted then, so that whoever shares an address with a
   * stranger, as all do behind a proxy, is not locked out. @throws AppError `too-many` instead of the refusal.
   */
  chargeFailure(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#isOff) return
    const drawn = this.#failures.draw(addressGroup(request.ip), FAILURES, this.#nowMs())
    if (!drawn.isAllowed) tell(reply, FAILURES, drawn)
    refuseUnlessAllowed(drawn, reply)
  }

  /** Somebody says a password. By name *and* address: nobody locks another one out. @throws AppError `too-many`. */
  chargeGuess(name: string, request: FastifyRequest, reply: FastifyReply): void {
    const address = addressGroup(request.ip)
    refuseUnlessAllowed(this.#guesses.draw(address, GUESSES_OF_ALL, this.#nowMs()), reply)
    const drawn = this.#guesses.draw(`${address} ${name}`, GUESSES, this.#nowMs())
    tell(reply, GUESSES, drawn)
    refuseUnlessAllowed(drawn, reply)
  }

  /**
   * Somebody asks for mail to an address. False: that one has been asked often enough, which is nobody else's business.
   *
   * @throws AppError `too-many`.
   */
  chargeSubscribing(mailAddress: string, request: FastifyRequest, reply: FastifyReply): boolean {
    const nowMs = this.#nowMs()
    refuseUnlessAllowed(this.#subscribing.draw(addressGroup(request.ip), SUBSCRIBING, nowMs), reply)
    if (!this.#asked.draw(mailboxOf(mailAddress), ASKED, nowMs).isAllowed) return false
    refuseUnlessAllowed(this.#subscribing.draw('', ASKED_OF_ALL, nowMs), reply)
    return true
  }

  /** A page for everybody, of which there is no copy, is about to be made. @throws AppError `too-many`. */
  chargePage(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#isOff) return
    refuseUnlessAllowed(this.#pages.draw(addressGroup(request.ip), PAGES, this.#nowMs()), reply)
  }
}

/** Most servers put mail to ann+anything@ into the mailbox of ann@. */
function mailboxOf(mailAddress: string): string {
  return mailAddress.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@')
}

class Buckets {
  readonly #buckets = new Map<string, Bucket>()

  has(name: string): boolean {
    return this.#buckets.has(name)
  }

  draw(name: string, rate: Rate, nowMs: number): Draw {
    const drawn = draw(this.#buckets.get(name), rate, nowMs)
    // Taken out first: the map is in the order of use.
    this.#buckets.delete(name)
    this.#buckets.set(name, drawn.bucket)
    if (this.#buckets.size > BUCKETS) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest)
        break
      }
    }
    return drawn
  }
}

/** Null where the call has no secret of its own, or has it in the body, which is read later. */
function tokenBucketOf({ policy, path, body }: Route, { params, headers }: FastifyRequest): string | null {
  if (policy !== 'token' || body !== undefined) return null
  const name = /\{(\w*token)\}/i.exec(path)?.[1]
  const secret = name === undefined ? bearerOf(headers.authorization) : Reflect.get(Object(params), name)
  if (typeof secret !== 'string') return null
  // A UUID is the same in either case.
  return hashKey(name === undefined ? secret : secret.toLowerCase()).toString('base64')
}

function tell(reply: FastifyReply, rate: Rate, { remaining, fullAtMs }: Draw): void {
  reply.header('x-ratelimit-limit', rate.requests)
  reply.header('x-ratelimit-remaining', remaining)
  reply.header('x-ratelimit-reset', Math.ceil(fullAtMs / 1000))
}

function refuseUnlessAllowed({ isAllowed, waitMs }: Draw, reply: FastifyReply): void {
  if (isAllowed) return
  reply.header('retry-after', Math.max(1, Math.ceil(waitMs / 1000)))
  throw new AppError('too-many', 'Too Many Requests')
}

/** One machine has a whole /64 of IPv6 addresses to call from. */
export function addressGroup(address: string): string {
  const ip = parseIp(address)
  if (ip === null || ip.family === 4) return address
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ip.parts
  const isMappedV4 = (a | b | c | d | e) === 0 && f === 0xffff
  return isMappedV4 ? address : [a, b, c, d].map((part) => part.toString(16)).join(':')
}
