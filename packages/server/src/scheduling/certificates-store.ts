import type { Db } from '../db/database.ts'

export interface SealedCertificate {
  id: string
  accountId: string
  host: string
  cert: string
  ca: string | null
  sealedKey: string
  sealedPassphrase: string | null
  createdAtMs: number
}

/** The oldest first. */
export async function certificatesOf(db: Db, accountIds: readonly string[]): Promise<SealedCertificate[]> {
  const rows = await db
    .selectFrom('client_certificates')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    host: row.host,
    cert: row.cert,
    ca: row.ca,
    sealedKey: row.sealed_key,
    sealedPassphrase: row.sealed_passphrase,
    createdAtMs: row.created_at.getTime(),
  }))
}
