/** Shakes hands with a server and brings back what it showed, be it good or bad. */
import { X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import { shorten, wholeDaysUntil } from '@vedette/core'
import type { RunCertificate, SslHandshake, SslObservation, SslRequest, TlsCertificate } from '@vedette/schema'
import { addressWithin } from './address.ts'
import { bareHost, type Connected, connect } from './connection.ts'
import { certificateFor, refusalOf } from './http/client-certificate.ts'
import { checkFailure, RequestFailure, socketFailure, targetFailure } from './http/failure.ts'
import { describePeers, peersOf } from './http/tls-details.ts'
import { withinLimit } from './limit.ts'
import type { Probe, RunContext } from './probe.ts'
import { inItsLimits, lenientContext } from './ssl/client.ts'
import { demandsStaple, holdsReceipt, isOcspAnswer } from './ssl/der.ts'
import { lastWord } from './ssl/last-word.ts'
import { anchorsWith, chainProblemOf, upToTrust } from './ssl/trust.ts'

export const sslProbe: Probe<'SSL'> = {
  async observe({ request }, context): Promise<SslObservation> {
    const startedAt = performance.now()
    const { hostname, ipFamily, handshakeTimeoutMs = 10_000 } = request.sslConfig
    let resolvedIp: string | null = null
    let shown: TlsCertificate | null = null
    const show = (certificate: TlsCertificate) => {
      shown = certificate
    }
    try {
      const response = await withinLimit(handshakeTimeoutMs, context, async (limited) => {
        resolvedIp = await addressWithin(hostname, ipFamily, limited)
        return shakeHands(request, resolvedIp, startedAt, limited, show)
      })
      const responseTimeMs = response.timingPhases.handshake
      return { resolvedIp, response, failure: null, responseTimeMs, shown, seenAtMs: Date.now() }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const { blame, code, message, phase } = inItsLimits(error)
      const responseTimeMs = performance.now() - startedAt
      const failure = { blame, code, message, phase }
      return { resolvedIp, response: null, failure, responseTimeMs, shown, seenAtMs: Date.now() }
    }
  },
}

async function shakeHands(
  request: SslRequest,
  address: string,
  startedAt: number,
  context: RunContext,
  show: (certificate: TlsCertificate) => void,
): Promise<SslHandshake> {
  const { hostname, port = 443, serverName } = request.sslConfig
  const host = serverName || hostname
  const certificate = clientCertificate(request, context)
  let ocspStapled = false
  const onStapled = (answer: Buffer | null) => {
    ocspStapled = answer !== null && isOcspAnswer(answer)
  }
  const secureContext = lenientContext(certificate)
  const to = { address, port, tls: { host, skipSSL: true, secureContext, onStapled } }
  try {
    return await connect(to, context, async (connected) => {
      const { socket } = connected
      if (!(socket instanceof tls.TLSSocket)) throw new Error('a handshake was made without TLS')
      const seen = { ...describe(socket, bareHost(host), certificate), ocspStapled, resolvedIp: address }
      show(seen.certificate)
      const alert = await lastWord(socket, context.signal)
      if (alert !== null) throw socketFailure(alert, 'tls')
      return { ...seen, timingPhases: timingsOf(connected, startedAt) }
    })
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error
    throw refusalOf(error, certificate, 'tls') ?? error
  }
}

/** The one that is asked for, or the one for the host. Throws a failure of the check when that one is gone. */
function clientCertificate({ sslConfig }: SslRequest, { certificates }: RunContext): RunCertificate | null {
  const { hostname, serverName, clientCertificateMode } = sslConfig
  if (clientCertificateMode !== 'explicit') return certificateFor(asInAddress(serverName || hostname), certificates)
  const [certificate] = certificates
  if (certificate === undefined)
    throw checkFailure('ERR_CLIENT_CERTIFICATE', 'the client certificate that the check names does not exist')
  return certificate
}

/** Client certificates name their hosts as URLs do. */
function asInAddress(host: string): string {
  const bare = bareHost(host)
  return bare.includes(':') ? `[${bare}]` : bare
}

function describe(socket: tls.TLSSocket, host: string, client: RunCertificate | null) {
  const nowMs = Date.now()
  const anchors = anchorsWith(client)
  const sent = peersOf(socket).map(({ raw }) => new X509Certificate(raw))
  const path = upToTrust(sent, anchors, nowMs)
  const chain = describePeers(path.map((one) => one.toLegacyObject()))
  const own = socket.getPeerCertificate()
  const [certificate] = chain
  if (certificate === undefined || certificate.fingerprint256 !== own.fingerprint256)
    throw targetFailure('tls', 'ERR_CERTIFICATE', 'the server shows no certificate that can be read')
  const chainProblem = chainProblemOf(socket, path, anchors, nowMs)
  const misnamed = tls.checkServerIdentity(host, own)
  const { standardName, name } = socket.getCipher()
  return {
    protocol: VERSIONS[socket.getProtocol() ?? ''] ?? 'unknown',
    cipherSuite: standardName ?? name,
    chainTrusted: chainProblem === null,
    chainProblem: cut(chainProblem),
    hostnameVerified: misnamed === undefined,
    hostnameProblem: misnamed === undefined ? null : cut(socketFailure(misnamed, 'tls').message),
    daysUntilExpiry: wholeDaysUntil(Date.parse(certificate.validTo), nowMs),
    ocspMustStaple: demandsStaple(own.raw),
    sctPresent: holdsReceipt(own.raw),
    certificate,
    chain,
  }
}

/** They list the names that a certificate is for, and there may be thousands. */
const SENTENCE_LIMIT = 1000
const cut = (sentence: string | null) => (sentence === null ? null : shorten(sentence, SENTENCE_LIMIT))

const VERSIONS: { readonly [protocol: string]: string } = {
  TLSv1: 'TLS1.0',
  'TLSv1.1': 'TLS1.1',
  'TLSv1.2': 'TLS1.2',
  'TLSv1.3': 'TLS1.3',
}

/** What comes after the handshake is not counted. */
function timingsOf(connected: Connected, beganAt: number): SslHandshake['timingPhases'] {
  const { startedAt, connectedAt, readyAt } = connected
  return {
    dns: round(startedAt - beganAt),
    connection: round(connectedAt - startedAt),
    handshake: round(readyAt - connectedAt),
    total: round(readyAt - beganAt),
  }
}

const round = (ms: number) => Math.round(ms * 1000) / 1000
