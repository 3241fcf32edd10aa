/**
 * `Idempotency-Key`: a request that creates something may be sent again, and is carried out once.
 *
 * A request is claimed before it is carried out, marked as done in the transaction of its change, and answered from what
 * was kept when it comes again. If we die before the change, the claim lapses; if we die between the change and keeping
 * the answer, a repeat is told what was made instead of making it twice. What is kept can be opened with the client's
 * credential and key together, which are both not in the database: answers may show secrets that are shown once.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import type { Route } from '@vedette/schema'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import { SESSION_COOKIE } from '../../auth/identify.ts'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { isRepeatable } from '../describe/traits.ts'
import { type Claim, claimRequest, giveUp, keepAnswer, markDone } from './store.ts'

const HEADER = 'idempotency-key'
const SILENT_AFTER_MS = 60_000
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface OnceOnly {
  /** In the transaction of the change. @throws AppError `conflict` when another try has taken over. */
  done(tx: Db, subject: string): Promise<void>
  keep(status: number, text: string): Promise<void>
  giveUp(): Promise<void>
}

export interface Replay {
  status: number
  text: string
}

export type Idempotency = (
  route: Route,
  caller: Caller | null,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<OnceOnly | Replay | null>

export function isReplay(outcome: OnceOnly | Replay): outcome is Replay {
  return 'text' in outcome
}

/** Answers null for a request that is carried out as often as it comes. */
export function idempotencyOn(db: Db, log: Log): Idempotency {
  return async (route, caller, request, reply) => {
    const given = request.headers[HEADER]
    if (given === undefined || caller === null || !isRepeatable(route)) return null
    const key = readKey(given)
    const secrets = secretsOf(key, route, request)
    const claim: Claim = {
      id: randomUUID(),
      accountId: caller.accountId,
      keyHash: secrets.keyHash,
      requestHash: secrets.requestHash,
    }
    const known = await claimRequest(db, claim, SILENT_AFTER_MS)
    if (known === null) return onceOnly(db, log, claim, secrets.cipherKey)
    if (!timingSafeEqual(known.requestHash, claim.requestHash)) {
      throw headerError('mismatch', 'was used before for another request')
    }
    if (known.status !== null && known.answer !== null) {
      reply.header('idempotency-replayed', 'true')
      return { status: known.status, text: decrypt(known.answer, secrets.cipherKey, claim) }
    }
    if (known.done) {
      throw new AppError(
        'conflict',
        `The request was carried out before, but its answer was lost. What it made: ${known.subject ?? 'unknown'}.`,
      )
    }
    reply.header('retry-after', '1')
    throw new AppError('conflict', 'A request with this Idempotency-Key is in progress. Try again in a moment.')
  }
}

function onceOnly(db: Db, log: Log, claim: Claim, cipherKey: Buffer): OnceOnly {
  return {
    async done(tx, subject) {
      if (await markDone(tx, claim, subject)) return
      throw new AppError('conflict', 'Another request with this Idempotency-Key has taken over.')
    },
    async keep(status, text) {
      try {
        await keepAnswer(db, claim, status, encrypt(text, cipherKey, claim))
      } catch (error) {
        // The change was made and its maker is told so; only a repeat will not be.
        log.warn('An answer was not kept for repeats of its request', { error })
      }
    },
    giveUp: () => giveUp(db, claim).catch((error: unknown) => log.debug('A claim waits until it lapses', { error })),
  }
}

function readKey(given: string | string[]): string {
  const key = String(given)
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw headerError('invalid', 'must have 1 to 255 visible ASCII characters and no spaces')
}

function headerError(code: 'invalid' | 'mismatch', reason: string): AppError {
  return new AppError(code, `"${HEADER}" ${reason}`, { source: 'headers', keys: [HEADER] })
}

/** All that is stored follows from the credential and the key, so that not even a key such as `1` can be guessed from it. */
function secretsOf(key: string, route: Route, request: FastifyRequest) {
  const cookies = request.cookies
  const credential =
    request.headers.authorization ?? cookies[SESSION_COOKIE] ?? cookies[`__Host-${SESSION_COOKIE}`] ?? ''
  const derive = (purpose: string, what: string) =>
    Buffer.from(hkdfSync('sha256', key, credential, `vedette idempotency ${purpose} ${what}`, 32))
  const operation = `${route.method} ${route.path}`
  const content = JSON.stringify([request.url, request.body ?? null])
  return {
    keyHash: derive('key', operation),
    cipherKey: derive('answer', operation),
    requestHash: keyedHash(derive('request', operation), content),
  }
}

function keyedHash(key: Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest()
}

function encrypt(text: string, key: Buffer, claim: Claim): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(placeOf(claim))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function decrypt(stored: Buffer, key: Buffer, claim: Claim): string {
  const decipher = createDecipheriv(CIPHER, key, stored.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(placeOf(claim))
    .setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** A value that was moved to another row does not open. */
function placeOf(claim: Claim): Buffer {
  return Buffer.concat([Buffer.from(claim.accountId), claim.keyHash])
}
