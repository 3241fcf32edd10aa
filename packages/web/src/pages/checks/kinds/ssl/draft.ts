/** An SSL check as its form holds it. */
import {
  BASELINE_DEFAULTS,
  type BaselineRule,
  type RuleSeverity,
  type SecurityBaseline,
  type SslAssertionSource,
  type SslCheck,
  type SslCheckCreate,
  type SslConfig,
  type TlsVersion,
} from '@vedette/schema'
import { splitAddress } from '../address.ts'
import type { DraftAssertion } from '../assertions/words.ts'
import { draftThresholds, type Thresholds, writeThresholds } from '../thresholds.ts'

export interface BaselineDraft {
  enabled: boolean
  severities: Readonly<Record<BaselineRule, RuleSeverity>>
  minTLSVersion: TlsVersion
  recommendedTLSVersion: TlsVersion
  minKeySizeBits: string
  recommendedKeySizeBits: string
}

export interface SslDraft extends Thresholds {
  hostname: string
  port: string
  serverName: string
  ipFamily: NonNullable<SslConfig['ipFamily']>
  skipChainValidation: boolean
  handshakeTimeoutMs: string
  alertDaysBeforeExpiry: string
  baseline: BaselineDraft
  /** Empty: whichever fits the host. */
  clientCertificateId: string
  assertions: readonly DraftAssertion<SslAssertionSource>[]
  shouldFail: boolean
}

export const blankSsl = (address: string): SslDraft => {
  const { host, port } = splitAddress(address)
  return {
    hostname: host,
    port: port ?? '443',
    serverName: '',
    ipFamily: 'IPv4',
    skipChainValidation: false,
    handshakeTimeoutMs: '10000',
    alertDaysBeforeExpiry: '20',
    baseline: draftBaseline({}),
    clientCertificateId: '',
    assertions: [],
    degradedResponseTime: '3000',
    maxResponseTime: '10000',
    shouldFail: false,
  }
}

type Kept = Pick<SslCheck, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'>

export function draftSsl(check: Kept): SslDraft {
  const { sslConfig, sslClientCertificateId, assertions = [] } = check.request
  const { hostname, port = 443, serverName, ipFamily = 'IPv4', skipChainValidation = false } = sslConfig
  const { handshakeTimeoutMs = 10_000, alertDaysBeforeExpiry = 20, clientCertificateMode = 'auto' } = sslConfig
  return {
    hostname,
    port: String(port),
    serverName: serverName ?? '',
    ipFamily,
    skipChainValidation,
    handshakeTimeoutMs: String(handshakeTimeoutMs),
    alertDaysBeforeExpiry: String(alertDaysBeforeExpiry),
    baseline: draftBaseline(sslConfig.securityBaseline ?? {}),
    clientCertificateId: clientCertificateMode === 'explicit' ? (sslClientCertificateId ?? '') : '',
    assertions,
    ...draftThresholds(check),
    shouldFail: check.shouldFail,
  }
}

function draftBaseline(baseline: SecurityBaseline): BaselineDraft {
  const severityOf = (rule: BaselineRule) => baseline[rule]?.severity ?? BASELINE_DEFAULTS[rule].severity
  const { minTLSVersion, recommendedTLSVersion, minKeySizeBits, recommendedKeySizeBits } = baseline
  return {
    enabled: baseline.enabled ?? true,
    severities: {
      minTLSVersion: severityOf('minTLSVersion'),
      minKeySizeBits: severityOf('minKeySizeBits'),
      weakSignatureAlgorithm: severityOf('weakSignatureAlgorithm'),
      weakCipherSuite: severityOf('weakCipherSuite'),
      knownBadCA: severityOf('knownBadCA'),
      recommendedTLSVersion: severityOf('recommendedTLSVersion'),
      recommendedKeySizeBits: severityOf('recommendedKeySizeBits'),
      ocspMustStapleRespected: severityOf('ocspMustStapleRespected'),
      sctPresent: severityOf('sctPresent'),
    },
    minTLSVersion: minTLSVersion?.value ?? BASELINE_DEFAULTS.minTLSVersion.value,
    recommendedTLSVersion: recommendedTLSVersion?.value ?? BASELINE_DEFAULTS.recommendedTLSVersion.value,
    minKeySizeBits: String(minKeySizeBits?.value ?? BASELINE_DEFAULTS.minKeySizeBits.value),
    recommendedKeySizeBits: String(recommendedKeySizeBits?.value ?? BASELINE_DEFAULTS.recommendedKeySizeBits.value),
  }
}

type SslPart = Pick<SslCheckCreate, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'>

export function writeSsl(draft: SslDraft): SslPart {
  const { hostname, port, serverName, ipFamily, skipChainValidation, clientCertificateId, assertions } = draft
  const typed = splitAddress(hostname)
  const isExplicit = clientCertificateId !== ''
  return {
    request: {
      sslConfig: {
        hostname: typed.host,
        port: Number(typed.port ?? port),
        serverName: serverName.trim() === '' ? null : serverName.trim(),
        ipFamily,
        skipChainValidation,
        handshakeTimeoutMs: Number(draft.handshakeTimeoutMs),
        alertDaysBeforeExpiry: Number(draft.alertDaysBeforeExpiry),
        securityBaseline: writeBaseline(draft.baseline),
        clientCertificateMode: isExplicit ? 'explicit' : 'auto',
      },
      sslClientCertificateId: isExplicit ? clientCertificateId : null,
      assertions: [...assertions],
    },
    ...writeThresholds(draft),
    shouldFail: draft.shouldFail,
  }
}

function writeBaseline({ enabled, severities, ...values }: BaselineDraft): SecurityBaseline {
  const { minTLSVersion, recommendedTLSVersion, minKeySizeBits, recommendedKeySizeBits } = values
  return {
    enabled,
    minTLSVersion: { severity: severities.minTLSVersion, value: minTLSVersion },
    minKeySizeBits: { severity: severities.minKeySizeBits, value: Number(minKeySizeBits) },
    weakSignatureAlgorithm: { severity: severities.weakSignatureAlgorithm },
    weakCipherSuite: { severity: severities.weakCipherSuite },
    knownBadCA: { severity: severities.knownBadCA },
    recommendedTLSVersion: { severity: severities.recommendedTLSVersion, value: recommendedTLSVersion },
    recommendedKeySizeBits: { severity: severities.recommendedKeySizeBits, value: Number(recommendedKeySizeBits) },
    ocspMustStapleRespected: { severity: severities.ocspMustStapleRespected },
    sctPresent: { severity: severities.sctPresent },
  }
}
