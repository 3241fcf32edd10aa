/** What one request over one connection is given. */
import type { Dialer } from './dialer.ts'

export interface Hop {
  url: URL
  method: string
  /** The request as it is written to the connection. */
  text: string
  family: 4 | 6
  skipSSL: boolean
}

export interface HopContext {
  signal: AbortSignal
  limitMs: number
  dialer: Dialer
  proxy: HttpProxy | null
  /** So much of a body is kept. */
  keepBytes: number
}

export interface HttpProxy {
  host: string
  port: number
  /** The value of Proxy-Authorization, or null. */
  authorization: string | null
}
