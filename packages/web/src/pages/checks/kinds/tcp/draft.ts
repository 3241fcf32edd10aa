/** A TCP check as its form holds it. */
import type { TcpAssertion, TcpCheck, TcpCheckCreate, TcpRequest } from '@vedette/schema'
import { draftThresholds, type Thresholds, writeThresholds } from '../thresholds.ts'

/** How lines of the text to send end: a field for text knows one way only. */
export const LINE_ENDS = ['CRLF', 'LF'] as const
export type LineEnd = (typeof LINE_ENDS)[number]

export interface TcpDraft extends Thresholds {
  hostname: string
  port: string
  data: string
  lineEnd: LineEnd
  tls: boolean
  skipSSL: boolean
  ipFamily: NonNullable<TcpRequest['ipFamily']>
  assertions: readonly TcpAssertion[]
  shouldFail: boolean
}

/** Of an address such as `tcp://db.example.org:5432` or `example.org:25`, as far as it goes. */
export function blankTcp(address: string): TcpDraft {
  const bare = address.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const [place = ''] = bare.split(/[/?#]/)
  const [, hostname = place, port = ''] = /^(\[.*\]|[^:]*):(\d*)$/.exec(place) ?? []
  return {
    hostname,
    port,
    data: '',
    lineEnd: 'CRLF',
    tls: false,
    skipSSL: false,
    ipFamily: 'IPv4',
    assertions: [],
    degradedResponseTime: '3000',
    maxResponseTime: '5000',
    shouldFail: false,
  }
}

export function draftTcp(check: TcpCheck): TcpDraft {
  const { hostname, port, tls = false, skipSSL = false, ipFamily = 'IPv4', assertions = [] } = check.request
  const data = check.request.data ?? ''
  return {
    hostname,
    port: String(port),
    data: data.replaceAll('\r\n', '\n'),
    lineEnd: /(?<!\r)\n/.test(data) ? 'LF' : 'CRLF',
    tls,
    skipSSL,
    ipFamily,
    assertions,
    ...draftThresholds(check),
    shouldFail: check.shouldFail,
  }
}

type TcpPart = Pick<TcpCheckCreate, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'>

export function writeTcp(draft: TcpDraft): TcpPart {
  const { hostname, port, data, lineEnd, tls, skipSSL, ipFamily, assertions, shouldFail } = draft
  const lines = data.replaceAll('\r\n', '\n')
  return {
    request: {
      hostname: hostname.trim(),
      port: Number(port),
      data: data === '' ? null : lineEnd === 'CRLF' ? lines.replaceAll('\n', '\r\n') : lines,
      tls,
      skipSSL,
      ipFamily,
      assertions: [...assertions],
    },
    ...writeThresholds(draft),
    shouldFail,
  }
}

/** What a check of this place is called when nobody says so. */
export const nameOfTcp = ({ hostname, port }: TcpDraft): string => `${hostname.trim()}:${port}`.slice(0, 255)
