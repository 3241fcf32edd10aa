/** What a finished handshake showed, small enough to keep with a result. */
import { X509Certificate } from 'node:crypto'
import { checkServerIdentity, type DetailedPeerCertificate, type PeerCertificate, type TLSSocket } from 'node:tls'
import { wholeDaysUntil } from '@vedette/core'
import type { TlsCertificate, TlsDetails } from '@vedette/schema'
import { codeOf, socketFailure } from './failure.ts'

const CHAIN_LIMIT = 8
const NAMES_LIMIT = 50
const NAME_LENGTH = 253
const SUBJECT_LENGTH = 300
const REMEMBERED = 2000

/** Certificates come back with every run: each is read once. Null: it cannot be read. */
const known = new Map<string, TlsCertificate | null>()

/** @param problem why the certificate is not accepted, or would not be if it had to be */
export function tlsDetails(socket: TLSSocket, problem: Error | null): TlsDetails {
  const chain = describePeers(peersOf(socket))
  const [own] = chain
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName ?? socket.getCipher().name,
    problem: problem === null ? null : socketFailure(problem, 'tls').message,
    daysRemaining: own === undefined ? null : wholeDaysUntil(Date.parse(own.validTo), Date.now()),
    chain,
  }
}

/** The server's own certificate, then those of its issuers as far as they are known: the first 8. */
export function peersOf(socket: TLSSocket): DetailedPeerCertificate[] {
  const peers: DetailedPeerCertificate[] = []
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  while (peers.length < CHAIN_LIMIT && next?.raw !== undefined) {
    peers.push(next)
    // The last one of a whole chain is its own issuer.
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate
  }
  return peers
}

type Peer = Pick<PeerCertificate, 'raw' | 'fingerprint256' | 'bits'>

/** Those that cannot be read are left out. */
export function describePeers(peers: readonly Peer[]): TlsCertificate[] {
  return peers.map(read).filter((certificate) => certificate !== null)
}

/** Why the certificate that a handshake showed is not to be trusted for a host; null: it is. */
export function problemOf(socket: TLSSocket, host: string): Error | null {
  const code = codeOfVerification(socket)
  if (code === null) return null
  const wrongName = code === WRONG_NAME ? checkServerIdentity(host, socket.getPeerCertificate()) : undefined
  return wrongName ?? Object.assign(new Error(code), { code })
}

/** What OpenSSL has against a chain, or Node.js against its name once the chain is good; null: nothing. */
export function codeOfVerification(socket: TLSSocket): string | null {
  if (socket.authorized) return null
  // Node's types say an error; what is there is its code.
  const said: unknown = socket.authorizationError
  return said instanceof Error ? codeOf(said) : String(said)
}

export const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'

function read(peer: Peer): TlsCertificate | null {
  let certificate = known.get(peer.fingerprint256)
  if (certificate === undefined) {
    certificate = describe(peer)
    if (known.size >= REMEMBERED) known.clear()
    known.set(peer.fingerprint256, certificate)
  }
  return certificate
}

function describe(peer: Peer): TlsCertificate | null {
  const certificate = new X509Certificate(peer.raw)
  const { validFromDate, validToDate, signatureAlgorithm } = certificate
  if (Number.isNaN(validFromDate.getTime()) || Number.isNaN(validToDate.getTime())) return null
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    altNames: altNamesOf(certificate.subjectAltName ?? ''),
    validFrom: validFromDate.toISOString(),
    validTo: validToDate.toISOString(),
    fingerprint256: peer.fingerprint256,
    keyType: keyTypeOf(certificate),
    keyBits: peer.bits ?? null,
    signatureAlgorithm: signatureAlgorithm ?? null,
  }
}

const oneLine = (name: string | undefined) => (name ?? '').trim().replaceAll('\n', ', ').slice(0, SUBJECT_LENGTH)

/** Of `DNS:shop.test, IP Address:127.0.0.1, …`, in which odd names stand in quotes. */
function altNamesOf(text: string): string[] {
  const names: string[] = []
  for (const [, name = ''] of text.matchAll(/(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g)) {
    if (names.length === NAMES_LIMIT) break
    names.push(name.slice(0, NAME_LENGTH))
  }
  return names
}

function keyTypeOf(certificate: X509Certificate): string {
  try {
    return certificate.publicKey.asymmetricKeyType ?? 'unknown'
  } catch {
    // A key of a kind that OpenSSL does not know.
    return 'unknown'
  }
}
