import { randomUUID, X509Certificate } from 'node:crypto'
import type { ClientCertificate, ClientCertificateCreate, SslRequest } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { invalidField } from '../../app-error.ts'
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

/** Whether a check shows this one, whatever the host. */
export async function isInUse(tx: Db, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from checks
    where account_id = ${accountId} and kind = 'SSL' and settings#>>'{request,sslConfig,clientCertificateMode}' = 'explicit'
      and lower(settings#>>'{request,sslClientCertificateId}') = ${id.toLowerCase()} limit 1`.execute(tx)
  return rows.length > 0
}

/** @throws AppError `invalid` when a check wants to show a certificate that the account does not have. */
export async function assertShown(db: Db, accountId: string, request: SslRequest): Promise<void> {
  const { sslConfig, sslClientCertificateId: id } = request
  if (sslConfig.clientCertificateMode !== 'explicit' || id == null) return
  if ((await findCertificate(db, accountId, id)) === undefined)
    throw invalidField('request.sslClientCertificateId', `names the client certificate ${id}, which does not exist`)
}

function present(row: Selectable<Tables['client_certificates']>): ClientCertificate {
  const { id, host, cert, ca, created_at } = row
  // Of several, the first is the one that is shown; the others are of its issuers.
  const { subject, validFromDate, validToDate } = new X509Certificate(cert)
  return {
    id,
    host,
    cert,
    ca,
    subject: subject?.replaceAll('\n', ', ') ?? '',
    validFrom: validFromDate.toISOString(),
    validTo: validToDate.toISOString(),
    created_at: created_at.toISOString(),
  }
}
