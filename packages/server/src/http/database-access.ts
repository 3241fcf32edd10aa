/** Finds out who calls, by what the database knows of keys and sessions. */
import '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Caller, RunnerCaller } from '../auth/caller.ts'
import { identify, identifyRunner, SESSION_COOKIE } from '../auth/identify.ts'
import type { Db } from '../db/database.ts'
import type { Changes } from './changes.ts'
import { KEPT_MS, Kept } from './kept.ts'
import type { Access } from './serve.ts'

const RUNNER_KEY_MEMORY_MS = 5000
const KEPT_KEYS = 5000

/** Keys are looked up in the database and kept until something changes; a runner's is remembered for 5 s. */
export function databaseAccess(db: Db, clientCompat: boolean, changes: Changes): Access {
  const keys = new Kept<Caller>(KEPT_KEYS, KEPT_MS)
  const runners = new Map<string, { caller: RunnerCaller; until: number }>()
  return {
    clientCompat,
    async caller(request, { named, any = false } = {}) {
      const { authorization } = request.headers
      const account = named ?? accountHeader(request, clientCompat)
      const name = `${authorization} ${account ?? ''} ${any}`
      const version = changes.version()
      const known = authorization === undefined ? undefined : keys.get(name, version)
      if (known !== undefined) return known
      const caller = await identify(db, {
        authorization,
        account,
        anyAccount: any,
        sessionToken: request.cookies[SESSION_COOKIE] ?? request.cookies[`__Host-${SESSION_COOKIE}`],
      })
      if (caller.keyId !== null) keys.keep(name, caller, version, changes.version())
      return caller
    },
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
