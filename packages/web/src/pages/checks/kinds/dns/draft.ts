/** A DNS check as its form holds it. */
import {
  type DnsAssertionSource,
  type DnsCheck,
  type DnsCheckCreate,
  type DnsProtocol,
  type DnsRecordType,
  type DnsRequest,
  ENCRYPTED_DNS_PROTOCOLS,
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
  /** With encrypted protocols. */
  skipSSL: boolean
  assertions: readonly DraftAssertion<DnsAssertionSource>[]
  shouldFail: boolean
}

export const USUAL_PORTS: Record<AskBy, number> = { UDP_OR_TCP: 53, UDP: 53, TCP: 53, DOT: 853, DOH: 443 }

export const isEncrypted = (askBy: AskBy): boolean => ENCRYPTED_DNS_PROTOCOLS.some((one) => one === askBy)

export const blankDns = (address: string): DnsDraft => ({
  query: hostOf(address),
  recordType: 'A',
  askBy: 'UDP_OR_TCP',
  nameServer: '',
  port: '',
  path: '',
  skipSSL: false,
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
  const { query, recordType, protocol, nameServer = '', port, path = '' } = check.request
  const { skipSSL = false, assertions = [] } = check.request
  return {
    query,
    recordType,
    askBy: protocol ?? 'UDP_OR_TCP',
    nameServer,
    port: port === undefined ? '' : String(port),
    path,
    skipSSL,
    assertions,
    ...draftThresholds(check),
    shouldFail: check.shouldFail,
  }
}

type DnsPart = Pick<DnsCheckCreate, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'>

export function writeDns(draft: DnsDraft): DnsPart {
  return { request: writeRequest(draft), ...writeThresholds(draft), shouldFail: draft.shouldFail }
}

function writeRequest(draft: DnsDraft): DnsRequest {
  const { query, recordType, askBy, nameServer, port, path, skipSSL, assertions } = draft
  const host = nameServer.trim()
  return {
    query: query.trim(),
    recordType,
    assertions: [...assertions],
    ...(askBy === 'UDP_OR_TCP' ? {} : { protocol: askBy }),
    ...(host === '' ? {} : { nameServer: host, port: port.trim() === '' ? USUAL_PORTS[askBy] : Number(port) }),
    ...(askBy === 'DOH' && path.trim() !== '' ? { path: path.trim() } : {}),
    ...(isEncrypted(askBy) ? { skipSSL } : {}),
  }
}

/** What a check is called when nobody says so. */
export const nameOfDns = ({ query, recordType }: DnsDraft): string => `${query.trim()} ${recordType}`
