/** Binds a route of the schema to a handler: reads, validates, authorises, answers. */
import '@fastify/cookie'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '@vedette/schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import { type AuditedChange, recordChange } from '../audit/record-change.ts'
import { authorise, type Caller, type RunnerCaller } from '../auth/caller.ts'
import { identify, identifyRunner, SESSION_COOKIE } from '../auth/identify.ts'
import type { Db } from '../db/database.ts'
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
  /** For cookies and headers; the answer itself is what the handler returns. */
  reply: FastifyReply
  request: FastifyRequest
}

export type Serve = <R extends Route>(route: R, handler: (call: Call<R>) => Promise<AnswerOf<R>>) => void

const OTHER_METHODS = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const methodNotAllowed = () => new AppError('method-not-allowed', 'Only GET and POST are understood here.')

export interface Access {
  /** Whether bodies of clients of older services are accepted. */
  clientCompat: boolean
  caller(request: FastifyRequest): Promise<Caller>
  runner(request: FastifyRequest): Promise<RunnerCaller>
}

/** Everything served through the returned function is recorded in `served`. */
export function serveOn(app: FastifyInstance, access: Access, served: Route[]): Serve {
  const callers = new WeakMap<FastifyRequest, Caller | RunnerCaller | null>()
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
      config: { takesBody: route.body !== undefined },
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      // Before the body is read: strangers do not get to make us read one.
      onRequest: async (request) => {
        callers.set(request, await callerFor(route, access, request))
      },
      handler: async (request, reply) => {
        const call = readCall(route, callers.get(request) ?? null, request, reply, access.clientCompat)
        const answer = await handler(call)
        if (reply.statusCode === 200) reply.code(status)
        return answer === null ? reply.send() : reply.send(answer)
      },
    })
  }
}

function readCall<R extends Route>(
  route: Route & R,
  caller: Caller | RunnerCaller | null,
  request: FastifyRequest,
  reply: FastifyReply,
  clientCompat: boolean,
): Call<R> {
  const { params, query, body } = readParts(route, request, clientCompat)
  const record = (tx: Db, change: AuditedChange) => {
    if (caller === null || !('accountId' in caller)) throw new Error('Only callers of an account change it.')
    const subject = change.subject ?? Object.values(asRecord(params)).join('/')
    return recordChange(tx, { ...change, subject, caller, route, address: request.ip })
  }
  // The schemas of the route have just proved these types; the compiler cannot follow a proof by value.
  return { params, query, body, caller, record, reply, request } as Call<R>
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
  const caller = await access.caller(request)
  if (caller.session !== null && route.method !== 'GET') refuseOtherOrigins(request)
  authorise(caller, route.policy)
  return caller
}

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

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const RUNNER_KEY_MEMORY_MS = 5000

/** Keys are looked up in the database; a runner's, which comes many times a second, is remembered for 5 s. */
export function databaseAccess(db: Db, clientCompat: boolean): Access {
  const runners = new Map<string, { caller: RunnerCaller; until: number }>()
  return {
    clientCompat,
    caller: (request) =>
      identify(db, {
        authorization: request.headers.authorization,
        account: accountHeader(request, clientCompat),
        sessionToken: request.cookies[SESSION_COOKIE] ?? request.cookies[`__Host-${SESSION_COOKIE}`],
      }),
    async runner(request) {
      const { authorization } = request.headers
      const known = runners.get(authorization ?? '')
      if (known !== undefined && known.until > Date.now()) return known.caller
      const caller = await identifyRunner(db, authorization)
      if (runners.size > 10_000) runners.clear()
      if (authorization !== undefined) runners.set(authorization, { caller, until: Date.now() + RUNNER_KEY_MEMORY_MS })
      return caller
    },
  }
}

function accountHeader(request: FastifyRequest, clientCompat: boolean): string | undefined {
  const names = Object.keys(request.headers)
  const name = names.find((candidate) =>
    clientCompat ? /^x-[\w-]+-account$/.test(candidate) : candidate === 'x-service-account',
  )
  const value = name === undefined ? undefined : request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
