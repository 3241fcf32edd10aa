/** Why a request brought no complete answer, said so that a person understands it and with the code that tools know. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Failure, ProbePhase } from '@vedette/schema'

/** Travels from where a request broke to the probe, which makes an observation of it. */
export class RequestFailure extends Error {
  readonly blame: Failure['blame']
  readonly code: string
  readonly phase: ProbePhase

  constructor({ blame, code, message, phase }: Failure) {
    super(message)
    this.blame = blame
    this.code = code
    this.phase = phase
  }
}

/** A failure of the target; the message begins with its code. */
export function targetFailure(phase: ProbePhase, code: string, message: string): RequestFailure {
  return new RequestFailure({ blame: 'target', code, message: `${code}: ${message}`, phase })
}

/** Trouble of this machine, its network or its settings. */
export function ownFailure(phase: ProbePhase, code: string, message: string): RequestFailure {
  return new RequestFailure({ blame: 'ours', code, message: `${code}: ${message}`, phase })
}

/** What the user wrote makes no request: nobody but its owner can mend it, so it fails the check. */
export function checkFailure(code: string, message: string): RequestFailure {
  return new RequestFailure({ blame: 'check', code, message: `${code}: ${message}`, phase: 'prepare' })
}

/** What these say is about this machine: its descriptors, ports, memory, routes or permissions. */
const OUR_CODES = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'EADDRINUSE',
  'ENETDOWN',
  'ENETUNREACH',
  'EAFNOSUPPORT',
  'EPERM',
  'EACCES',
])

const TLS_SENTENCES: { readonly [code: string]: string } = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the chain of certificates ends in one that is self-signed and not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by an authority that the server did not send',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority that signed the certificate is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority that signed the certificate is not known',
  CERT_SIGNATURE_FAILURE: 'the signature of the certificate is wrong',
  INVALID_CA: 'the certificate is signed by one that is no authority',
  INVALID_PURPOSE: 'the certificate is not one for servers',
  UNSPECIFIED: 'the certificate is not accepted: its key or signature may be too weak',
  CERT_CHAIN_TOO_LONG: 'the chain of certificates is too long',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server speaks no version of TLS that is still safe',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'the server does not know this host name',
}

/** What a server says before it hangs up, whenever it says so. */
const ALERT_SENTENCES: { readonly [alert: string]: string } = {
  HANDSHAKE_FAILURE: 'the server refused the handshake',
  CERTIFICATE_REQUIRED: 'the server asks for a client certificate',
  NO_APPLICATION_PROTOCOL: 'the server does not offer the protocol that was asked for',
  UNRECOGNIZED_NAME: 'the server does not know this host name',
  PROTOCOL_VERSION: 'the server speaks no version of TLS that is still safe',
}

/** The word of an alert in the code of an error; null: it is none. */
export function alertOf(code: string): string | null {
  return /^ERR_SSL_(?:SSL\/TLS|SSLV3|TLSV1|TLSV13)_ALERT_(\w+)$/.exec(code)?.[1] ?? null
}

/** What an error of a socket means at the phase where it struck. */
export function socketFailure(error: Error, phase: ProbePhase): RequestFailure {
  const code = codeOf(error)
  if (OUR_CODES.has(code) || (code === 'EHOSTUNREACH' && !hasWayOut(error))) {
    const message = withCode(error.message.replace(' - Local (undefined:undefined)', ''), code)
    return new RequestFailure({ blame: 'ours', code, message, phase })
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return targetFailure(phase, code, 'the certificate is for another host name: '.concat(reasonOf(error)))
  }
  const alert = ALERT_SENTENCES[alertOf(code) ?? '']
  if (alert !== undefined) return targetFailure('tls', code, alert)
  if (phase === 'tls') {
    const sentence = TLS_SENTENCES[code]
    if (sentence !== undefined) return targetFailure(phase, code, sentence)
    if (code === 'ECONNRESET') return targetFailure(phase, code, 'the connection was closed during the TLS handshake')
    return targetFailure(phase, code, `the TLS handshake failed (${reasonOf(error)})`)
  }
  const message = phase === 'connect' ? error.message : `${error.message} while ${doing[phase]}`
  return new RequestFailure({ blame: 'target', code, message: withCode(message, code), phase })
}

/** Whether this machine has an address from which what the error names could be reached at all: IPv6 is often missing. */
function hasWayOut(error: Error): boolean {
  const family = 'address' in error && typeof error.address === 'string' ? isIP(error.address) : 0
  if (family === 0) return true
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own.some((one) => !one.internal && one.family === `IPv${family}` && !/^fe80:/i.test(one.address))
}

/** The limit of the attempt was reached. */
export function timeoutFailure(phase: ProbePhase, limitMs: number): RequestFailure {
  return targetFailure(phase, 'ETIMEDOUT', `no answer within ${limitMs / 1000} s while ${doing[phase]}`)
}

const doing: { [P in ProbePhase]: string } = {
  prepare: 'preparing the request',
  dns: 'looking up the name',
  connect: 'connecting',
  tls: 'shaking hands',
  send: 'sending the request',
  data: 'waiting for data',
  answer: 'waiting for the answer',
  headers: 'waiting for headers',
  body: 'reading the body',
  redirect: 'following a redirect',
}

export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : 'ERR_CONNECTION'
}

const withCode = (message: string, code: string) => (message.includes(code) ? message : `${code}: ${message}`)

/** OpenSSL's messages are lines of colons with the reason in one of them. */
function reasonOf(error: Error): string {
  if ('reason' in error && typeof error.reason === 'string') return error.reason
  return error.message.trim()
}
