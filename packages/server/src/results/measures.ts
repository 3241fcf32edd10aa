/** What the columns of a result mean for each kind of check: its measurements, in the order of `MEASURES`. */
import { type CheckKind, WEB_VITALS } from '@vedette/schema'
import type { MeasuredPage } from './measured-pages.ts'

export interface MeasuredColumns {
  response_time_ms: number
  wait_ms: number | null
  dns_ms: number | null
  tcp_ms: number | null
  first_byte_ms: number | null
  download_ms: number | null
}

type Times = readonly (number | null)[]

const exchange = (row: MeasuredColumns): Times => [
  row.response_time_ms,
  row.wait_ms,
  row.dns_ms,
  row.tcp_ms,
  row.first_byte_ms,
  row.download_ms,
]
const runTime = (row: MeasuredColumns): Times => [row.response_time_ms]

/** The total is there when something was measured of the connection. */
function connection({ dns_ms, tcp_ms, first_byte_ms }: MeasuredColumns): Times {
  const total = tcp_ms === null ? null : (dns_ms ?? 0) + tcp_ms + (first_byte_ms ?? 0)
  return [total, dns_ms, tcp_ms, first_byte_ms]
}

/** The phases of pings: their loss, and of those that were answered the lowest, the highest and the spread. */
function pings({
  response_time_ms,
  wait_ms: loss,
  dns_ms: min,
  tcp_ms: max,
  first_byte_ms: spread,
}: MeasuredColumns): Times {
  return [min === null ? null : response_time_ms, loss, min, max, spread]
}

/** Of a handshake that was finished: its time, what it showed, and what was thought of it. */
function handshake({
  response_time_ms,
  wait_ms: daysUntilExpiry,
  dns_ms: keySizeBits,
  tcp_ms: tlsVersion,
  first_byte_ms: chainTrusted,
  download_ms: hostnameVerified,
}: MeasuredColumns): Times {
  const time = chainTrusted === null ? null : response_time_ms
  return [time, daysUntilExpiry, keySizeBits, tlsVersion, chainTrusted, hostnameVerified]
}

/** The phases of a visit are its errors: of the console, of requests, of the scripts of pages, of documents. */
function visit(
  { response_time_ms, wait_ms, dns_ms, tcp_ms, first_byte_ms }: MeasuredColumns,
  page: MeasuredPage | null,
): Times {
  return [response_time_ms, ...(page?.vitals ?? WEB_VITALS.map(() => null)), wait_ms, dns_ms, tcp_ms, first_byte_ms]
}

const times: Record<CheckKind, (row: MeasuredColumns, page: MeasuredPage | null) => Times> = {
  API: exchange,
  URL: exchange,
  TCP: connection,
  DNS: runTime,
  ICMP: pings,
  BROWSER: visit,
  MULTI_STEP: runTime,
  PLAYWRIGHT: runTime,
  HEARTBEAT: () => [],
  GRPC: exchange,
  SSL: handshake,
}

/** @param page of which the vitals are told; null: none */
export function timesOf(kind: CheckKind, row: MeasuredColumns, page: MeasuredPage | null = null): Times {
  return times[kind](row, page)
}

/** Kinds of which pages are measured. */
export const hasMeasuredPages = (kind: CheckKind) => kind === 'BROWSER'
