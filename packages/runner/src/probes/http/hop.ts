/** What one request over one connection is given. */
import type { HttpVersion, RunCertificate, TlsDetails } from '@vedette/schema'
import type { Dialer } from './dialer.ts'

export interface Hop {
  url: URL
  method: string
  /** The request as it is written to the connection. */
  text: string
  /** The same in its parts, for HTTP/2. */
  headers: readonly (readonly [name: string, value: string])[]
  body: string
  httpVersion: HttpVersion
  family: 4 | 6
  skipSSL: boolean
  /** Shown to the server when it asks. */
  certificate: RunCertificate | null
}

export interface HopContext {
  signal: AbortSignal
  limitMs: number
  dialer: Dialer
  proxy: HttpProxy | null
  /** So much of a body is kept. */
  keepBytes: number
  /** Is told what a handshake showed, whether it is accepted or not. */
  onTls: (details: TlsDetails) => void
}

export interface HttpProxy {
  host: string
  port: number
  /** The value of Proxy-Authorization, or null. */
  authorization: string | null
}
