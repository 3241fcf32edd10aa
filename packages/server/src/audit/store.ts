import type { ActorType, AuditEntry } from '@vedette/schema'
import { sql } from 'kysely'
import { isBeyond, type Place, placeTime } from '../db/cursor.ts'
import type { Db } from '../db/database.ts'

export interface NewAuditEntry {
  accountId: string
  userId: string | null
  keyId: string | null
  /** Of whoever has neither. */
  actorName?: string
  address: string
  operation: string
  subject: string
  before: unknown
  after: unknown
}

export async function appendChanges(tx: Db, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({
    account_id: entry.accountId,
    user_id: entry.userId,
    key_id: entry.keyId,
    // Kept with the entry: keys and people go, the log stays.
    actor_name:
      entry.actorName !== undefined
        ? entry.actorName
        : entry.keyId === null
          ? sql<string | null>`(select name from users where id = ${entry.userId})`
          : sql<string | null>`(select name from api_keys where id = ${entry.keyId})`,
    address: entry.address,
    operation: entry.operation,
    subject: entry.subject,
    before: entry.before === undefined ? null : JSON.stringify(entry.before),
    after: entry.after === undefined ? null : JSON.stringify(entry.after),
  }))
  await tx.insertInto('audit_log').values(rows).execute()
}

export interface AuditFilter {
  fromMs: number | null
  toMs: number | null
  operation: string | undefined
  subject: string | undefined
  userId: string | undefined
  place: Place | null
  limit: number
}

/** Newest first. */
export async function listChanges(
  db: Db,
  accountId: string,
  filter: AuditFilter,
): Promise<(Place & { entry: AuditEntry })[]> {
  const { fromMs, toMs, operation, subject, userId, place, limit } = filter
  let query = db.selectFrom('audit_log').selectAll().select(placeTime('at')).where('account_id', '=', accountId)
  if (fromMs !== null) query = query.where('at', '>=', new Date(fromMs))
  if (toMs !== null) query = query.where('at', '<', new Date(toMs))
  if (operation !== undefined) query = query.where('operation', '=', operation)
  if (subject !== undefined) query = query.where('subject', '=', subject)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (place !== null) query = query.where(isBeyond(place, 'desc', { createdAt: 'at', id: 'id' }))
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    at_us: row.at_us,
    id: String(row.id),
    entry: {
      id: row.id,
      at: row.at.toISOString(),
      actor: {
        type: actorTypeOf(row),
        id: row.key_id ?? row.user_id,
        name: row.actor_name,
        userId: row.user_id,
      },
      address: row.address,
      operation: row.operation,
      subject: row.subject,
      before: row.before,
      after: row.after,
    },
  }))
}

function actorTypeOf({ key_id, user_id }: { key_id: string | null; user_id: string | null }): ActorType {
  if (key_id === null) return user_id === null ? 'link' : 'user'
  return user_id === null ? 'service-key' : 'key'
}
