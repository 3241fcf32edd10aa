import type { TlsCertificate, TlsDetails } from '@vedette/schema'
import type { ReactNode } from 'react'
import { Disclosure } from '../../../../components/disclosure.tsx'
import { Instant } from '../../../../components/instant.tsx'
import { Notice } from '../../../../components/notice.tsx'
import { Section } from '../../../../components/section.tsx'

/** What the handshake showed: the connection, the server's own certificate, and who vouches for it. */
export function TlsSection({ details }: { details: TlsDetails }) {
  const { protocol, cipher, problem, daysRemaining, chain } = details
  const [own, ...issuers] = chain
  return (
    <Section title="TLS" aside={daysRemaining !== null && <DaysLeft days={daysRemaining} />}>
      {problem !== null && <Notice tone="warn">The certificate cannot be trusted: {problem}</Notice>}
      <dl className="grid gap-x-6 gap-y-2 text-[0.875rem] sm:grid-cols-[10rem_1fr]">
        <Fact name="Connection">
          {protocol}, <span className="break-all">{cipher}</span>
        </Fact>
        {own && <CertificateFacts certificate={own} />}
      </dl>
      {issuers.length > 0 && (
        <div className="mt-4">
          <Disclosure summary={`Issuers sent along (${issuers.length})`}>
            <ol className="space-y-4">
              {issuers.map((certificate, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a chain never changes, and may repeat a certificate
                <li key={index}>
                  <dl className="grid gap-x-6 gap-y-2 text-[0.875rem] sm:grid-cols-[10rem_1fr]">
                    <CertificateFacts certificate={certificate} />
                  </dl>
                </li>
              ))}
            </ol>
          </Disclosure>
        </div>
      )}
    </Section>
  )
}

function DaysLeft({ days }: { days: number }) {
  if (days < 0) return <strong className="text-ink">Expired</strong>
  return (
    <span>
      <strong className="text-ink">{days}</strong> {days === 1 ? 'day' : 'days'} left
    </span>
  )
}

function CertificateFacts({ certificate }: { certificate: TlsCertificate }) {
  const { subject, issuer, altNames, validFrom, validTo, fingerprint256, keyType, keyBits } = certificate
  return (
    <>
      <Fact name="Certificate">{subject || 'without a subject'}</Fact>
      {altNames.length > 0 && <Fact name="For">{altNames.join(', ')}</Fact>}
      <Fact name="Issued by">{issuer || 'nobody named'}</Fact>
      <Fact name="Valid">
        <Instant at={validFrom} /> to <Instant at={validTo} />
      </Fact>
      <Fact name="Key">
        {keyType.toUpperCase()}
        {keyBits === null ? '' : `, ${keyBits} bits`}
        {certificate.signatureAlgorithm === null ? '' : `, signed with ${certificate.signatureAlgorithm}`}
      </Fact>
      <Fact name="SHA-256">
        <span className="font-mono text-[0.8125rem] break-all">{fingerprint256}</span>
      </Fact>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="mb-1 min-w-0 break-words sm:mb-0">{children}</dd>
    </>
  )
}
