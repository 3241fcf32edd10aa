/** The audit log, to read. It is written by `record` of each call. */
import { routes } from '@vedette/schema'
import { listChanges } from '../../audit/store.ts'
import type { Db } from '../../db/database.ts'
import { cutPage, readCursor } from '../cursor.ts'
import { readInstant } from '../instants.ts'
import type { Serve } from '../serve.ts'

export function serveAuditLog(serve: Serve, db: Db): void {
  serve(routes.listAuditLog, async ({ query, caller }) => {
    const limit = query.limit ?? 20
    const found = await listChanges(db, caller.accountId, {
      fromMs: readInstant('from', query.from),
      toMs: readInstant('to', query.to),
      operation: query.operation,
      subject: query.subject,
      userId: query.userId,
      place: readCursor(query.nextId, 'number'),
      limit: limit + 1,
    })
    const { rows, nextId } = cutPage(found, limit)
    return { length: rows.length, entries: rows.map(({ entry }) => entry), nextId }
  })
}
