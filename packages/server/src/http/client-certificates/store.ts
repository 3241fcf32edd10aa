import { randomUUID } from 'node:crypto'
import type { ClientCertificate, ClientCertificateCreate } from '@vedette/schema'
import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Secrets } from '../../secrets/secrets.ts'

export async function listCertificates(db: Db, accountId: string): Promise<ClientCertificate[]> {
  const rows = await db
    .selectFrom('client_certificates')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(present)
}

export async function findCertificate(db: Db, accountId: string, id: string): Promise<ClientCertificate | undefined> {
  const row = await db
    .selectFrom('client_certificates')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && present(row)
}

export async function insertCertificate(
  tx: Db,
  secrets: Secrets,
  accountId: string,
  { host, cert, ca, key, passphrase }: ClientCertificateCreate,
): Promise<ClientCertificate> {
  const id = randomUUID()
  const sealed = (column: 'sealed_key' | 'sealed_passphrase', text: string) =>
    secrets.seal({ accountId, table: 'client_certificates', column, rowId: id }, text)
  const row = await tx
    .insertInto('client_certificates')
    .values({
      id,
      account_id: accountId,
      host,
      cert,
      ca: ca ?? null,
      sealed_key: sealed('sealed_key', key),
      sealed_passphrase: passphrase == null ? null : sealed('sealed_passphrase', passphrase),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return present(row)
}

export async function deleteCertificate(tx: Db, accountId: string, id: string): Promise<ClientCertificate | undefined> {
  const row = await tx
    .deleteFrom('client_certificates')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && present(row)
}

function present(row: Selectable<Tables['client_certificates']>): ClientCertificate {
  return { id: row.id, host: row.host, cert: row.cert, ca: row.ca, created_at: row.created_at.toISOString() }
}
