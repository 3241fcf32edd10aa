/** Asks a name server, the one given or those of this machine, and brings back its answer. */
import { domainToASCII } from 'node:url'
import { describeAnswer, encodeName, nameOfQuery, RECORD_TYPES } from '@vedette/core'
import type { DnsRequest, DnsSentRequest } from '@vedette/schema'
import { untilAborted } from './address.ts'
import { type Consultation, consult, type Wanted } from './dns/consult.ts'
import { type Asking, type NameServer, nameOf, parseNameServer } from './dns/name-server.ts'
import { ownFailure, RequestFailure, timeoutFailure } from './http/failure.ts'
import type { Probe, RunContext } from './probe.ts'

export const dnsProbe: Probe<'DNS'> = {
  async observe({ request }, context) {
    const startedAt = performance.now()
    let sent: DnsSentRequest = {
      query: request.query,
      recordType: request.recordType,
      nameServer: request.nameServer ?? null,
      port: request.port ?? null,
      protocol: request.protocol ?? 'UDP',
    }
    try {
      const { server, consultation } = await findOut(request, context)
      const { answer, protocol, tookMs } = consultation
      const by = { nameServer: server.host, port: server.port, protocol }
      sent = { ...sent, ...by }
      return { request: sent, response: describeAnswer(answer, by), failure: null, responseTimeMs: tookMs }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const { blame, code, message, phase } = error
      const responseTimeMs = performance.now() - startedAt
      return { request: sent, response: null, failure: { blame, code, message, phase }, responseTimeMs }
    }
  },
}

interface FoundOut {
  server: NameServer
  consultation: Consultation
}

async function findOut(request: DnsRequest, context: RunContext): Promise<FoundOut> {
  const wanted = wantedOf(request)
  const { nameServer, port = 53 } = request
  if (nameServer === undefined) return askOurs(wanted, context)
  const { dialer } = context
  const server = { host: nameServer, address: await addressOf(nameServer, context), port }
  const check = (address: string) => dialer.check(address)
  return { server, consultation: await consult(wanted, server, { ...context, check }) }
}

/** Throws a failure of our own for a name that cannot be asked for. */
function wantedOf({ query, recordType, protocol, path, skipSSL }: DnsRequest): Wanted {
  const typed = nameOfQuery(query.trim(), recordType)
  const name = /[^\0-\x7f]/.test(typed) ? domainToASCII(typed) : typed
  if (encodeName(name) === null) throw ownFailure('send', 'ERR_INVALID_NAME', `"${query}" is no domain name`)
  return { name, type: RECORD_TYPES[recordType], protocol: protocol ?? null, path, skipSSL: skipSSL === true }
}

/** A name server that has no IPv4 address is asked by IPv6. */
async function addressOf(host: string, { dialer, signal, limitMs }: Asking): Promise<string> {
  const find = (family: 4 | 6) =>
    untilAborted(dialer.addressOf(host, family), signal, () => timeoutFailure('dns', limitMs))
  try {
    return dialer.literalOf(host) ?? (await find(4))
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.code !== 'ENODATA') throw error
    return find(6).catch((other) => {
      throw other instanceof RequestFailure && other.code === 'ENODATA' ? error : other
    })
  }
}

/** So long one of our name servers is waited for while there are others. */
const PATIENCE_MS = 1500

/**
 * Any answer of ours will do, so the next is asked when one has none. That none of them answers says nothing about the
 * name: the trouble is ours. Nor does a silent one make the answer of the next one slow.
 */
async function askOurs(wanted: Wanted, context: RunContext): Promise<FoundOut> {
  const { dialer, signal, limitMs } = context
  const endsAt = performance.now() + limitMs
  const servers = dialer.nameServers.map(parseNameServer)
  const complaints: string[] = []
  let code = 'ERR_NO_NAME_SERVER'
  for (const [index, server] of servers.entries()) {
    const left = endsAt - performance.now()
    const shareMs = Math.round(Math.min(PATIENCE_MS, left / (servers.length - index)))
    const isLast = index === servers.length - 1
    const patience = isLast
      ? { signal, limitMs }
      : { signal: AbortSignal.any([signal, AbortSignal.timeout(Math.max(shareMs, 1))]), limitMs: shareMs }
    try {
      const consultation = await consult(wanted, server, { dialer, ...patience, check: () => {} })
      return { server, consultation }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      code = error.code
      complaints.push(`${nameOf(server)}: ${error.message}`)
    }
    if (signal.aborted) break
  }
  const reasons = complaints.length === 0 ? 'none is configured' : complaints.join('; ')
  throw ownFailure('answer', code, `none of our own name servers gave an answer (${reasons})`)
}
