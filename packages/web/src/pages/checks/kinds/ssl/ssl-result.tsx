import type { SslCheckResult, TlsCertificate } from '@vedette/schema'
import { Instant } from '../../../../components/instant.tsx'
import { Notice } from '../../../../components/notice.tsx'
import { formatMs } from '../../../../components/number.ts'
import { type Phase, Phases } from '../../../../components/phases.tsx'
import { Section } from '../../../../components/section.tsx'
import { AssertionsSection } from '../assertions/assertions-section.tsx'
import { CertificateFacts, DaysLeft, Fact, Facts } from '../certificate-facts.tsx'
import { SameAs } from '../same-as.tsx'
import { BaselineSection } from './baseline-section.tsx'

/** One handshake: the certificate that it showed, who vouches for it, how safely it was spoken, and what was expected. */
export function SslResult({ detail, checkId }: { detail: SslCheckResult; checkId: string }) {
  const { request, response, assertions, daysUntilExpiry } = detail
  return (
    <>
      <AssertionsSection assertions={assertions} />
      <BaselineSection detail={detail} />
      <Section title="Certificate" aside={daysUntilExpiry !== null && <DaysLeft days={daysUntilExpiry} />}>
        {response?.sameAs && (
          <SameAs checkId={checkId} resultId={response.sameAs}>
            Handshakes are kept when they change.
          </SameAs>
        )}
        {response === null ? (
          <p className="text-soft">{whyNoCertificate(detail)}</p>
        ) : (
          <>
            {response.chainProblem !== null && <Notice tone="warn">Its authority: {response.chainProblem}</Notice>}
            {response.hostnameProblem !== null && <Notice tone="warn">Its names: {response.hostnameProblem}</Notice>}
            <Facts>
              <CertificateFacts certificate={response.certificate} />
              <Fact name="In a public log">{yesOrNo(response.sctPresent)}</Fact>
            </Facts>
          </>
        )}
      </Section>
      {response !== null && response.chain.length > 1 && <Chain chain={response.chain} />}
      <Connection detail={detail} />
      {response?.timingPhases && (
        <Section title="Where the time went">
          <Phases
            caption="Phases of the connection"
            phases={phasesOf(response.timingPhases)}
            totalMs={response.timingPhases.total}
            format={formatMs}
          />
        </Section>
      )}
      <Section title="Request">
        <p className="font-mono text-[0.8125rem] break-all">
          {request.hostname}:{request.port}
          <span className="ml-3 font-sans text-faint">
            {request.ipFamily}
            {request.serverName !== '' && request.serverName !== request.hostname && `, as ${request.serverName}`}
          </span>
        </p>
      </Section>
    </>
  )
}

const whyNoCertificate = ({ tlsVersion }: SslCheckResult): string =>
  tlsVersion === null
    ? 'No handshake was finished, so nothing is known of the certificate.'
    : 'The certificate of this passing run was not kept. It is kept when it changes, when a run does not pass and when you run the check yourself.'

/** From the server’s own certificate up to who is trusted. */
function Chain({ chain }: { chain: readonly TlsCertificate[] }) {
  return (
    <Section title="Chain" aside={`${chain.length} certificates`}>
      <ol className="space-y-3 text-[0.875rem]">
        {chain.map(({ subject, validTo, keyType, keyBits }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a chain never changes, and may repeat a certificate
          <li key={index} className="flex gap-3">
            <span
              aria-hidden="true"
              className="mt-0.25 flex size-5 shrink-0 items-center justify-center rounded-full bg-sunken text-[0.75rem] font-semibold text-soft"
            >
              {index + 1}
            </span>
            <div className="min-w-0">
              <p className="break-words">{subject || 'without a subject'}</p>
              <p className="text-[0.8125rem] text-faint">
                until <Instant at={validTo} />, {keyType.toUpperCase()}
                {keyBits === null ? '' : `, ${keyBits} bits`}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Connection({ detail }: { detail: SslCheckResult }) {
  const { response, tlsVersion, cipherSuite, chainTrusted, hostnameVerified, handshakeTimeMs } = detail
  if (tlsVersion === null) return null
  return (
    <Section
      title="Connection"
      aside={response && <span className="font-mono text-[0.8125rem] break-all">to {response.resolvedIp}</span>}
    >
      <Facts>
        <Fact name="TLS version">{tlsVersion}</Fact>
        {cipherSuite !== null && (
          <Fact name="Cipher suite">
            <span className="font-mono text-[0.8125rem] break-all">{cipherSuite}</span>
          </Fact>
        )}
        {handshakeTimeMs !== null && <Fact name="Handshake">{formatMs(handshakeTimeMs)}</Fact>}
        {chainTrusted !== null && <Fact name="Authority trusted">{yesOrNo(chainTrusted)}</Fact>}
        {hostnameVerified !== null && <Fact name="For the name">{yesOrNo(hostnameVerified)}</Fact>}
        {response && (
          <Fact name="OCSP answer">
            {response.ocspStapled ? 'brought by the server' : 'none'}
            {response.ocspMustStaple && ', the certificate demands one'}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

const parts = [
  { key: 'dns', name: 'DNS', explanation: 'Looking up the name' },
  { key: 'connection', name: 'Connect', explanation: 'Connecting' },
  { key: 'handshake', name: 'Handshake', explanation: 'Agreeing on keys and showing certificates' },
] as const

function phasesOf(timings: Record<(typeof parts)[number]['key'], number>): Phase[] {
  let startMs = 0
  return parts.map(({ key, name, explanation }) => {
    const phase = { name, explanation, startMs, ms: timings[key] }
    startMs += phase.ms
    return phase
  })
}
