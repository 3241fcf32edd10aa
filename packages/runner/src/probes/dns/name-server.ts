/** Whom to ask, and within what time. */
import type { Dialer } from '../http/dialer.ts'

export interface NameServer {
  /** As the user wrote it; what a certificate must be for. */
  host: string
  /** Numeric. */
  address: string
  port: number
}

export interface Patience {
  signal: AbortSignal
  /** For messages. */
  limitMs: number
}

export interface Asking extends Patience {
  dialer: Dialer
}

/** A name server as Node.js writes those of the machine: `192.0.2.53`, `127.0.0.1:5353`, `[::1]:5353`. */
export function parseNameServer(text: string): NameServer {
  const withPort = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:]+)):(?<port>\d+)$/.exec(text)?.groups
  const address = withPort?.v6 ?? withPort?.v4 ?? text
  return { host: address, address, port: Number(withPort?.port ?? 53) }
}

/** For sentences. */
export const nameOf = ({ address, port }: NameServer): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
