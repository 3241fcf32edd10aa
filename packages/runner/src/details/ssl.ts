/** What is kept of a handshake. */
import { hash } from 'node:crypto'
import { judgeBaseline, keySizeBits, sslFailureCategory } from '@vedette/core'
import type { SslHandshake, SslRequest } from '@vedette/schema'
import { cleanCertificate } from './certificates.ts'
import type { Details } from './details.ts'
import type { Scrub } from './masks.ts'
import { cleanOutcomes } from './outcomes.ts'

const baselineOf = (response: SslHandshake | null, { sslConfig }: SslRequest) =>
  response === null ? { findings: [], verdict: null, grade: null } : judgeBaseline(response, sslConfig.securityBaseline)

export const sslDetails: Details<'SSL'> = {
  keepBytes: () => 0,
  secrets: () => [],
  statusCode: () => null,
  /** Days that are left, bits of the key, version of TLS, then in percent: chain trusted, host name verified. */
  phases: ({ response }) => {
    if (response === null) return null
    const { daysUntilExpiry, certificate, protocol, chainTrusted, hostnameVerified } = response
    return [
      Math.max(0, daysUntilExpiry),
      keySizeBits(certificate) ?? 0,
      Number(protocol.replace('TLS', '')) || 0,
      chainTrusted ? 100 : 0,
      hostnameVerified ? 100 : 0,
    ]
  },
  certificate: ({ shown }) => shown && { fingerprint256: shown.fingerprint256, expiresAtMs: Date.parse(shown.validTo) },
  /** Times differ always: they are kept of every run as its measurements. The days change once a day. */
  fingerprint: ({ response }, assertions, { request }) => {
    if (response === null) return null
    const { timingPhases: _, certificate, chain, ...facts } = response
    const shown = [certificate, ...chain].map(({ fingerprint256 }) => fingerprint256)
    const errors = assertions.map(({ error }) => error)
    return hash('sha1', JSON.stringify([facts, shown, baselineOf(response, request), errors]), 'base64url')
  },
  detail: (settings, observation, assertions, clean) => {
    const { response, failure } = observation
    const { hostname, port = 443, serverName, ipFamily = 'IPv4' } = settings.request.sslConfig
    const { findings, verdict, grade } = baselineOf(response, settings.request)
    return {
      kind: 'SSL',
      content: {
        tlsVersion: response?.protocol ?? null,
        cipherSuite: response?.cipherSuite ?? null,
        daysUntilExpiry: response?.daysUntilExpiry ?? null,
        handshakeTimeMs: response?.timingPhases.handshake ?? null,
        chainTrusted: response?.chainTrusted ?? null,
        hostnameVerified: response?.hostnameVerified ?? null,
        baselineVerdict: verdict,
        baselineGrade: grade,
        baselineFindings: findings.map((finding) => ({ ...finding, message: clean(finding.message) })),
        failureCategory: sslFailureCategory(settings, observation, assertions),
        requestError: failure === null ? null : clean(failure.message),
        request: { hostname: clean(hostname), port, serverName: clean(serverName || hostname), ipFamily },
        assertions: cleanOutcomes(assertions, clean),
        response: response && cleanHandshake(response, clean),
      },
    }
  },
}

function cleanHandshake(handshake: SslHandshake, clean: Scrub): SslHandshake {
  const { chainProblem, hostnameProblem, certificate, chain } = handshake
  return {
    ...handshake,
    chainProblem: chainProblem === null ? null : clean(chainProblem),
    hostnameProblem: hostnameProblem === null ? null : clean(hostnameProblem),
    certificate: cleanCertificate(certificate, clean),
    chain: chain.map((one) => cleanCertificate(one, clean)),
  }
}
