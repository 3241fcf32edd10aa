/** A DNS check as its form holds it. */
import type {
  DnsAssertionSource,
  DnsCheck,
  DnsCheckCreate,
  DnsProtocol,
  DnsRecordType,
  DnsRequest,
} from '@vedette/schema'
import type { DraftAssertion } from '../assertions/words.ts'
import { draftThresholds, type Thresholds, writeThresholds } from '../thresholds.ts'

/** How to ask: one of the protocols, or UDP with TCP in reserve, which the API knows by leaving the protocol out. */
export type AskBy = 'UDP_OR_TCP' | DnsProtocol

export interface DnsDraft extends Thresholds {
  query: string
  recordType: DnsRecordType
  askBy: AskBy
  /** Empty: the name servers of the runner. */
  nameServer: string
  /** As typed; empty: the usual one of the protocol. */
  port: string
  path: string
  assertions: readonly DraftAssertion<DnsAssertionSource>[]
  shouldFail: boolean
}

export const USUAL_PORTS: Record<AskBy, number> = { UDP_OR_TCP: 53, UDP: 53, TCP: 53, DOT: 853, DOH: 443 }

export const blankDns = (address: string): DnsDraft => ({
  query: hostOf(address),
  recordType: 'A',
  askBy: 'UDP_OR_TCP',
  nameServer: '',
  port: '',
  path: '',
  assertions: [],
  degradedResponseTime: '500',
  maxResponseTime: '1000',
  shouldFail: false,
})

/** People bring the address of a page. */
const hostOf = (address: string): string =>
  address
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .split(/[/?#:]/)[0] ?? ''

export function draftDns(check: DnsCheck): DnsDraft {
  const { query, recordType, protocol, nameServer = '', port, path = '', assertions = [] } = check.request
  return {
    query,
    recordType,
    askBy: protocol ?? 'UDP_OR_TCP',
    nameServer,
    port: port === undefined ? '' : String(port),
    path,
    assertions,
    ...draftThresholds(check),
    shouldFail: check.shouldFail,
  }
}

type DnsPart = Pick<DnsCheckCreate, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'>

export function writeDns(draft: DnsDraft): DnsPart {
  return { request: writeRequest(draft), ...writeThresholds(draft), shouldFail: draft.shouldFail }
}

function writeRequest({ query, recordType, askBy, nameServer, port, path, assertions }: DnsDraft): DnsRequest {
  const host = nameServer.trim()
  return {
    query: query.trim(),
    recordType,
    assertions: [...assertions],
    ...(askBy === 'UDP_OR_TCP' ? {} : { protocol: askBy }),
    ...(host === '' ? {} : { nameServer: host, port: port.trim() === '' ? USUAL_PORTS[askBy] : Number(port) }),
    ...(askBy === 'DOH' && path.trim() !== '' ? { path: path.trim() } : {}),
  }
}

/** What a check is called when nobody says so. */
export const nameOfDns = ({ query, recordType }: DnsDraft): string => `${query.trim()} ${recordType}`
