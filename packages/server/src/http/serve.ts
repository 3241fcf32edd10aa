/** Binds a route of the schema to a handler: reads, validates, authorises, answers. */
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '@vedette/schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../app-error.ts'
import type { NoteReading } from '../audit/locked-reads.ts'
import { type AuditedChange, recordChange } from '../audit/record-change.ts'
import { authorise, type Caller, type RunnerCaller } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import type { CallsInHand } from './calls-in-hand.ts'
import type { Changes } from './changes.ts'
import { type Idempotency, isReplay, type OnceOnly } from './idempotency/idempotency.ts'
import { keptReadings } from './kept-readings.ts'
import type { RateLimits } from './rate-limits.ts'
import { readParams, readQuery, validate } from './validation.ts'

/** Who a route's handler is told about, by its policy. */
type CallerOf<R extends Route> = R['policy'] extends 'public' | 'token'
  ? null
  : R['policy'] extends 'runner'
    ? RunnerCaller
    : Caller

export interface Call<R extends Route> {
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  caller: CallerOf<R>
  /**
   * Notes the change in the audit log, in the transaction that makes it. Every operation that changes something calls
   * it once. `before` and `after` are what a reader without write access would be shown.
   */
  record(tx: Db, change: AuditedChange): Promise<void>
  /**
   * Counts the call of a route whose policy is `token`, where the secret is in the path or the header. To be called when
   * the secret has proved right, before anything is done. @throws AppError `too-many`.
   */
  proven(): void
  /** For handlers that wait: aborted when nobody waits for the answer any more, or when the server is about to stop. */
  over(): AbortSignal
  /** For cookies and headers; the answer itself is what the handler returns. */
  reply: FastifyReply
  request: FastifyRequest
}

export type Serve = <R extends Route>(route: R, handler: (call: Call<R>) => Promise<AnswerOf<R>>) => void

const OTHER_METHODS = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const methodNotAllowed = () => new AppError('method-not-allowed', 'Only GET and POST are understood here.')

/** In which account a call acts when a header is not all there is to go by. */
export interface AccountChoice {
  named?: string | undefined
  /** One of the person's, whichever. */
  any?: boolean
}

export interface Access {
  /** Whether bodies of clients of older services are accepted. */
  clientCompat: boolean
  /** Acts in the account that is named here, else in that of the header. */
  caller(request: FastifyRequest, account?: AccountChoice): Promise<Caller>
  runner(request: FastifyRequest): Promise<RunnerCaller>
}

/** What stands between the network and the handlers. */
export interface Edge {
  access: Access
  limits: RateLimits
  idempotency: Idempotency
  noteReading: NoteReading
  changes: Changes
  inHand: CallsInHand
}

const JSON_TYPE = 'application/json; charset=utf-8'
/** Such operations were superseded before this service had them: the date is that of its interface, not of ours. */
const DEPRECATED_SINCE = `@${Date.UTC(2025, 0, 1) / 1000}`

/** Everything served through the returned function is recorded in `served`. */
export function serveOn(app: FastifyInstance, edge: Edge, served: Route[]): Serve {
  const { access, limits, idempotency, noteReading, changes, inHand } = edge
  const callers = new WeakMap<FastifyRequest, Caller | RunnerCaller | null>()
  const readingOf = keptReadings(changes)
  return (route, handler) => {
    served.push(route)
    const [status] = Object.keys(route.answers).map(Number)
    if (status === undefined) throw new Error(`${route.method} ${route.path} has no answer.`)
    const url = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const hasOwnMethods = route.refusals?.[405] !== undefined
    if (hasOwnMethods && route.method === 'POST') {
      app.route({ method: OTHER_METHODS, url, handler: async () => Promise.reject(methodNotAllowed()) })
    }
    app.route({
      method: route.method,
      url,
      // Where a call does something, asking for the headers alone must not do it.
      exposeHeadRoute: !hasOwnMethods,
      config: {
        takesBody: route.body !== undefined,
        takesText: route.takesText === true,
        takesBytes: route.takesBytes === true,
      },
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      // Before the body is read: strangers do not get to make us read one.
      onRequest: async (request, reply) => {
        inHand.follow(reply.raw)
        prepareHeaders(route, reply)
        const caller = await callerFor(route, access, request).catch((error: unknown) => {
          if (isWrongSecret(route, error) && hasCredential(request)) limits.chargeFailure(request, reply)
          throw error
        })
        callers.set(request, caller)
        limits.charge(route, inAccount(caller), request, reply)
      },
      handler: async (request, reply) => {
        const caller = callers.get(request) ?? null
        const reading = readingOf(route, inAccount(caller), request)
        const kept = reading?.find()
        // The text is returned and not sent: a handler that returns its reply is waited for until the answer has left.
        if (kept !== undefined) {
          reply.type(JSON_TYPE)
          return kept
        }
        const parts = readParts(route, request, access.clientCompat)
        const once = await idempotency(route, inAccount(caller), request, reply)
        if (once !== null && isReplay(once)) return reply.code(once.status).type(JSON_TYPE).send(once.text)
        try {
          const answer = await againAfterDeadlock(() =>
            inHand.during(() => handler(callOf(route, parts, caller, once, edge, request, reply))),
          )
          if (reply.statusCode === 200) reply.code(status)
          if (answer === null) return reply.send()
          if (route.media !== undefined) return reply.send(answer)
          const text = JSON.stringify(answer)
          const reader = route.method === 'GET' ? inAccount(caller) : null
          if (reader !== null)
            await noteReading({
              route,
              caller: reader,
              address: request.ip,
              subject: subjectOf(parts.params),
              answer,
              text,
            })
          await once?.keep(reply.statusCode, text)
          reading?.keep(text)
          reply.type(JSON_TYPE)
          return text
        } catch (error) {
          await once?.giveUp()
          if (isWrongSecret(route, error) && caller === null) limits.chargeFailure(request, reply)
          throw error
        } finally {
          // Before the answer is there: whoever asks next is told of the change.
          if (changesConfiguration(route)) changes.note(inAccount(caller)?.accountId ?? '')
        }
      },
    })
  }
}

function changesConfiguration({ method, policy }: Route): boolean {
  return method !== 'GET' && policy !== 'runner' && policy !== 'token'
}

const DEADLOCK_TRIES = 3

/** Two transactions that waited for each other: one of them was undone, and nothing of it remains. */
async function againAfterDeadlock<T>(work: () => Promise<T>, tries = DEADLOCK_TRIES): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isDeadlock = error instanceof Error && 'code' in error && error.code === '40P01'
    if (!isDeadlock || tries <= 1) throw error
    return againAfterDeadlock(work, tries - 1)
  }
}

function prepareHeaders(route: Route, reply: FastifyReply): void {
  if (route.deprecated) reply.header('deprecation', DEPRECATED_SINCE)
  if (route.policy === 'public' || route.policy === 'runner') return
  // A ping that a proxy answers from its memory never came.
  const isKept = route.method === 'GET' && route.policy !== 'token'
  reply.header('cache-control', isKept ? 'private, no-cache' : 'no-store')
}

function isOpen(route: Route): boolean {
  return route.policy === 'public' || route.policy === 'token'
}

/** Runners are left out: a location whose key was deleted asks on, and is nobody's guess. */
function isWrongSecret(route: Route, error: unknown): boolean {
  if (!(error instanceof AppError) || route.policy === 'runner') return false
  return (
    error.code === 'unauthorized' ||
    (isOpen(route) && error.code === (route.policy === 'token' ? 'not-found' : 'forbidden'))
  )
}

function hasCredential(request: FastifyRequest): boolean {
  return request.headers.authorization !== undefined || request.headers.cookie !== undefined
}

function inAccount(caller: Caller | RunnerCaller | null): Caller | null {
  return caller !== null && 'accountId' in caller ? caller : null
}

function callOf<R extends Route>(
  route: Route & R,
  { params, query, body }: ReturnType<typeof readParts>,
  caller: Caller | RunnerCaller | null,
  once: OnceOnly | null,
  { limits, inHand }: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
): Call<R> {
  const record = async (tx: Db, change: AuditedChange) => {
    const actor = inAccount(caller)
    if (actor === null) throw new Error('Only callers of an account change it.')
    const subject = change.subject ?? subjectOf(params)
    await recordChange(tx, { ...change, subject, caller: actor, route, address: request.ip })
    await once?.done(tx, subject)
  }
  // The schemas of the route have just proved these types; the compiler cannot follow a proof by value.
  return {
    params,
    query,
    body,
    caller,
    record,
    proven: () => limits.chargeProven(route, request, reply),
    over: () => inHand.over(reply.raw),
    reply,
    request,
  } as Call<R>
}

/** What a path names. */
function subjectOf(params: unknown): string {
  return Object.values(asRecord(params)).join('/')
}

function readParts(route: Route, request: FastifyRequest, clientCompat: boolean) {
  const params = route.params && readParams(route.params, asRecord(request.params))
  const query = route.query && readQuery(route.query, asRecord(request.query))
  let body: unknown
  if (route.body) {
    body = request.body ?? (route.bodyOptional ? {} : undefined)
    if (body === undefined) throw new AppError('invalid', 'A JSON body is required.', { source: 'payload', keys: [] })
    validate((clientCompat ? route.compatBody : undefined) ?? route.body, body, 'payload')
  }
  return { params, query, body }
}

async function callerFor(route: Route, access: Access, request: FastifyRequest): Promise<Caller | RunnerCaller | null> {
  if (route.policy === 'public' || route.policy === 'token') return null
  if (route.policy === 'runner') return access.runner(request)
  const named = route.policy === 'operator' ? undefined : accountInPath(request)
  const any = route.anyAccount === true
  const caller = await access.caller(request, { named, any }).catch((error: unknown) => {
    if (named === undefined || !(error instanceof AppError) || error.code !== 'forbidden') throw error
    return null
  })
  // An account that is not theirs is to them as one that does not exist.
  const actor = caller ?? (await access.caller(request, { any: true }))
  if (actor.session !== null && route.method !== 'GET') refuseOtherOrigins(request)
  authorise(actor, route.policy)
  if (caller === null) throw notFound()
  return caller
}

/** `/v1/accounts/{accountId}/…` says itself in which account it acts. */
function accountInPath(request: FastifyRequest): string | undefined {
  const named = asRecord(request.params).accountId
  return typeof named === 'string' && UUID.test(named) ? named : undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A cookie comes along by itself, so writes made with it must come from our own pages. */
export function refuseOtherOrigins(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  const same =
    site === undefined
      ? origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.headers.host
      : site === 'same-origin'
  if (!same) throw new AppError('forbidden', 'This request comes from another site.')
}

/** Whoever calls without a browser sends neither header; a page of another site sends at least one. */
export function refuseForeignPages(request: FastifyRequest): void {
  if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
    refuseOtherOrigins(request)
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
