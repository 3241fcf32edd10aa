import type { Db } from '../db/database.ts'

export interface NewAuditEntry {
  accountId: string
  userId: string | null
  keyId: string | null
  address: string
  operation: string
  subject: string
  before: unknown
  after: unknown
}

export async function appendChange(tx: Db, entry: NewAuditEntry): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      account_id: entry.accountId,
      user_id: entry.userId,
      key_id: entry.keyId,
      address: entry.address,
      operation: entry.operation,
      subject: entry.subject,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
    })
    .execute()
}
