import type { TlsDetails } from '@vedette/schema'
import { Disclosure } from '../../../../components/disclosure.tsx'
import { Notice } from '../../../../components/notice.tsx'
import { Section } from '../../../../components/section.tsx'
import { CertificateFacts, DaysLeft, Fact, Facts } from '../certificate-facts.tsx'

/** What the handshake showed: the connection, the server's own certificate, and who vouches for it. */
export function TlsSection({ details }: { details: TlsDetails }) {
  const { protocol, cipher, problem, daysRemaining, chain } = details
  const [own, ...issuers] = chain
  return (
    <Section title="TLS" aside={daysRemaining !== null && <DaysLeft days={daysRemaining} />}>
      {problem !== null && <Notice tone="warn">The certificate cannot be trusted: {problem}</Notice>}
      <Facts>
        <Fact name="Connection">
          {protocol}, <span className="break-all">{cipher}</span>
        </Fact>
        {own && <CertificateFacts certificate={own} />}
      </Facts>
      {issuers.length > 0 && (
        <div className="mt-4">
          <Disclosure summary={`Issuers sent along (${issuers.length})`}>
            <ol className="space-y-4">
              {issuers.map((certificate, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a chain never changes, and may repeat a certificate
                <li key={index}>
                  <Facts>
                    <CertificateFacts certificate={certificate} />
                  </Facts>
                </li>
              ))}
            </ol>
          </Disclosure>
        </div>
      )}
    </Section>
  )
}
