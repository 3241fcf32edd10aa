/**
 * The link from a message, by which somebody without a key says to be on a trouble. Programs open links of messages to look
 * at them: only what the button sends acknowledges.
 */
import type { Acknowledgement } from '@vedette/schema'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { readAcknowledgeToken } from '../../alerting/acknowledge-link.ts'
import * as store from '../../alerting/acknowledgement-store.ts'
import { episodeId } from '../../alerting/delivery-id.ts'
import { appendChanges } from '../../audit/store.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { notify } from '../../db/signals.ts'
import { type AcknowledgeView, acknowledgeDocument } from '../../pages/acknowledge.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { CallsInHand } from '../calls-in-hand.ts'
import type { RateLimits } from '../rate-limits.ts'

const PATH = '/acknowledge/:token'
const OPERATION = 'POST /acknowledge/{token}'
const STATUS: { readonly [K in AcknowledgeView['kind']]: number } = {
  open: 200,
  acknowledged: 200,
  over: 200,
  expired: 410,
  unknown: 404,
}

interface Parts {
  db: Db
  secrets: Secrets
  clock: Clock
  limits: RateLimits
  inHand: CallsInHand
}

export function serveAcknowledgePage(app: FastifyInstance, parts: Parts): void {
  const { db, limits, inHand } = parts
  const answer = async (request: FastifyRequest, reply: FastifyReply, act: (tx: Db, found: Found) => Promise<void>) => {
    const { token = '' }: { token?: string } = Object(request.params)
    const view = await db.transaction().execute(async (tx) => {
      const found = await find(tx, parts, token)
      if (found.view.kind !== 'open') return found.view
      await act(tx, found)
      return (await find(tx, parts, token)).view
    })
    // Right links are never counted: whoever is behind the same proxy as a stranger can still acknowledge.
    if (view.kind === 'unknown') limits.chargeFailure(request, reply)
    const { text, policy } = acknowledgeDocument(view)
    return reply
      .code(STATUS[view.kind])
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(text)
  }
  const options = {
    config: { takesBody: false },
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) => inHand.follow(reply.raw),
  }
  app.get(PATH, { ...options, handler: (request, reply) => answer(request, reply, async () => {}) })
  app.post(PATH, {
    ...options,
    handler: (request, reply) =>
      answer(request, reply, async (tx, { check }) => {
        if (check === null) return
        // Whoever was first has the state; what they have said counts.
        const trouble = await store.lockTrouble(tx, check.no)
        const isSame = trouble?.since.getTime() === check.since.getTime()
        if (!isSame || (await store.findAcknowledgement(tx, check.no)) !== undefined) return
        const by = `link from ${check.channel}`
        const at = new Date(parts.clock.nowMs())
        await store.insertAcknowledgement(tx, check.no, { by: sql<string>`${by}`, at, note: null })
        const after: Acknowledgement | undefined = await store.findAcknowledgement(tx, check.no)
        const nobody = { userId: null, keyId: null, actorName: by }
        const { accountId, id: subject } = check
        const entry = { accountId, ...nobody, address: request.ip, operation: OPERATION, subject }
        await appendChanges(tx, [{ ...entry, before: undefined, after }])
        await notify(tx, 'changes', accountId)
      }),
  })
}

interface Found {
  view: AcknowledgeView
  check: store.CheckOfLink | null
}

async function find(db: Db, { secrets, clock }: Parts, token: string): Promise<Found> {
  const named = readAcknowledgeToken(secrets, token)
  if (named === null) return { view: { kind: 'unknown' }, check: null }
  if (named.expiresAtMs <= clock.nowMs()) return { view: { kind: 'expired' }, check: null }
  const check = await store.findCheckOfLink(db, named.checkId, named.channelId)
  if (check === undefined) return { view: { kind: 'expired' }, check: null }
  const { no, id, name, state, since } = check
  if (state === 'passing' || !named.isAbout(episodeId(id, String(since.getTime()))))
    return { view: { kind: 'over', name }, check }
  const trouble = { name, state, sinceMs: since.getTime() }
  const acknowledgement = await store.findAcknowledgement(db, no)
  const view: AcknowledgeView =
    acknowledgement === undefined ? { kind: 'open', trouble } : { kind: 'acknowledged', trouble, acknowledgement }
  return { view, check }
}
