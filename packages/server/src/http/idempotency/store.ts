import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Who carries a request out, and under which hashes. */
export interface Claim {
  id: string
  accountId: string
  keyHash: Buffer
  requestHash: Buffer
}

export interface KnownRequest {
  requestHash: Buffer
  done: boolean
  subject: string | null
  status: number | null
  answer: Buffer | null
}

/** Null when the request is ours to carry out: it is new, or whoever had it fell silent before anything was done. */
export async function claimRequest(db: Db, claim: Claim, silentAfterMs: number): Promise<KnownRequest | null> {
  const { rows } = await sql`
    insert into idempotency_keys (account_id, key_hash, request_hash, claim)
    values (${claim.accountId}, ${claim.keyHash}, ${claim.requestHash}, ${claim.id})
    on conflict (account_id, key_hash) do update
    set claim = excluded.claim, claimed_at = now(), request_hash = excluded.request_hash
    where not idempotency_keys.done and idempotency_keys.claimed_at < now() - ${silentAfterMs} * interval '1 millisecond'
    returning key_hash`.execute(db)
  if (rows.length > 0) return null
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'done', 'subject', 'status', 'answer'])
    .where('account_id', '=', claim.accountId)
    .where('key_hash', '=', claim.keyHash)
    .executeTakeFirst()
  // It was refused and given up between the two statements: to the client that is a request still in progress.
  if (row === undefined)
    return { requestHash: claim.requestHash, done: false, subject: null, status: null, answer: null }
  return { requestHash: row.request_hash, done: row.done, subject: row.subject, status: row.status, answer: row.answer }
}

const held = (db: Db, claim: Claim) =>
  db
    .updateTable('idempotency_keys')
    .where('account_id', '=', claim.accountId)
    .where('key_hash', '=', claim.keyHash)
    .where('claim', '=', claim.id)

/** False when somebody else has taken the request over. */
export async function markDone(tx: Db, claim: Claim, subject: string): Promise<boolean> {
  const row = await held(tx, claim).set({ done: true, subject }).returning('claim').executeTakeFirst()
  return row !== undefined
}

export async function keepAnswer(db: Db, claim: Claim, status: number, answer: Buffer): Promise<void> {
  await held(db, claim).set({ done: true, status, answer }).execute()
}

/** A request that was refused may be tried again. */
export async function giveUp(db: Db, claim: Claim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', claim.accountId)
    .where('key_hash', '=', claim.keyHash)
    .where('claim', '=', claim.id)
    .where('done', '=', false)
    .execute()
}

export async function forgetOldRequests(db: Db): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', sql<Date>`now() - interval '24 hours'`).execute()
}
