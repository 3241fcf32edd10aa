/** The client certificates that a run is given: no more than it may have to show. */
import { chooseCertificate } from '@vedette/core'
import type { RunCertificate, SslRequest } from '@vedette/schema'
import type { Db } from '../db/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { certificatesOf, type SealedCertificate } from './certificates-store.ts'
import type { Told } from './run-settings.ts'

export type SealedByAccount = ReadonlyMap<string, SealedCertificate[]>

const NONE: SealedByAccount = new Map()

/** Read once for all the runs of a lease, and not at all where no account of theirs has any. */
export async function certificatesForRuns(tx: Db, accountIds: readonly string[]): Promise<SealedByAccount> {
  const accounts = new Set(accountIds)
  if (accounts.size === 0) return NONE
  return Map.groupBy(await certificatesOf(tx, [...accounts]), ({ accountId }) => accountId)
}

/** @throws Error when what is needed was not sealed with a key of this installation */
export function certificatesToShow(
  secrets: Secrets,
  certificates: readonly SealedCertificate[],
  told: Told,
): RunCertificate[] {
  const open = (sealed: SealedCertificate) => openCertificate(secrets, sealed)
  if (told.kind === 'SSL') return shownInHandshake(told.settings.request, certificates).map(open)
  const address = addressOf(told)
  if (address === null || certificates.length === 0) return []
  return mayShow(address, certificates).map(open)
}

/** The one that its check names, or the one for the name that is asked for. None when the one named is gone. */
export function shownInHandshake<C extends Pick<SealedCertificate, 'id' | 'host' | 'createdAtMs'>>(
  { sslConfig, sslClientCertificateId }: SslRequest,
  certificates: readonly C[],
): C[] {
  const { hostname, serverName = null, clientCertificateMode } = sslConfig
  if (clientCertificateMode === 'explicit')
    return certificates.filter(({ id }) => id === sslClientCertificateId?.toLowerCase())
  const chosen = chooseCertificate(asInAddress(serverName ?? hostname), certificates)
  return chosen === null ? [] : [chosen]
}

function addressOf({ kind, settings }: Told): string | null {
  return kind === 'API' || kind === 'URL' ? settings.request.url : null
}

/** One at most for a host that is known. Where it comes of a template, only the run will know it. */
export function mayShow<C extends Pick<SealedCertificate, 'host' | 'createdAtMs'>>(
  address: string,
  certificates: readonly C[],
): C[] {
  const url = URL.parse(address.trim())
  if (url === null || url.hostname.includes('{{')) return [...certificates]
  if (url.protocol !== 'https:') return []
  const chosen = chooseCertificate(url.hostname, certificates)
  return chosen === null ? [] : [chosen]
}

/** Client certificates name their hosts as URLs do. */
const asInAddress = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

function openCertificate(secrets: Secrets, sealed: SealedCertificate): RunCertificate {
  const { id: rowId, accountId, host, cert, ca, sealedKey, sealedPassphrase } = sealed
  const open = (column: 'sealed_key' | 'sealed_passphrase', text: string) =>
    secrets.open({ accountId, table: 'client_certificates', column, rowId }, text)
  return {
    host,
    cert,
    ca,
    key: open('sealed_key', sealedKey),
    passphrase: sealedPassphrase === null ? null : open('sealed_passphrase', sealedPassphrase),
  }
}
