/** The rules of the security baseline in words. */
import type { BaselineRule, BaselineVerdict, RuleSeverity } from '@vedette/schema'
import type { IconName } from '../../../../components/icon.tsx'
import type { Tone } from '../../../../components/notice.tsx'

/** What keeping a rule means, for forms; what it is about, for findings. */
export const ruleWords: Record<BaselineRule, { wanted: string; subject: string }> = {
  minTLSVersion: { wanted: 'TLS of this version or newer', subject: 'TLS version' },
  minKeySizeBits: { wanted: 'A key as strong as RSA with so many bits', subject: 'Size of the key' },
  weakSignatureAlgorithm: { wanted: 'No signature with MD5 or SHA-1', subject: 'Signature' },
  weakCipherSuite: { wanted: 'No weak cipher suite', subject: 'Cipher suite' },
  knownBadCA: { wanted: 'No authority that browsers distrust', subject: 'Authority' },
  recommendedTLSVersion: { wanted: 'Better, TLS of this version or newer', subject: 'TLS version, recommended' },
  recommendedKeySizeBits: {
    wanted: 'Better, a key as strong as RSA with so many bits',
    subject: 'Size of the key, recommended',
  },
  ocspMustStapleRespected: {
    wanted: 'The OCSP answer that the certificate demands',
    subject: 'OCSP answer',
  },
  sctPresent: { wanted: 'A certificate that is in a public log', subject: 'Public log' },
}

export const severityWords: Record<RuleSeverity, { breaking: string; word: string; tone: Tone; icon: IconName }> = {
  fail: { breaking: 'else fails', word: 'Fails', tone: 'bad', icon: 'cross' },
  degrade: { breaking: 'else degrades', word: 'Degrades', tone: 'warn', icon: 'slow' },
  ignore: { breaking: 'else is noted', word: 'Noted', tone: 'idle', icon: 'question' },
}

export const baselineTones: Record<BaselineVerdict, { tone: Tone; icon: IconName }> = {
  pass: { tone: 'good', icon: 'check' },
  degrade: { tone: 'warn', icon: 'slow' },
  fail: { tone: 'bad', icon: 'cross' },
}
