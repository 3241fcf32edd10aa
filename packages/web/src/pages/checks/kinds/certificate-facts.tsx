/** What is written in a certificate, and how long it is still good for. */
import type { TlsCertificate } from '@vedette/schema'
import type { ReactNode } from 'react'
import { Instant } from '../../../components/instant.tsx'
import { plural } from '../../../components/number.ts'

/** Pairs of a name and what it is, side by side where there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-2 text-[0.875rem] sm:grid-cols-[10rem_1fr]">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="mb-1 min-w-0 break-words sm:mb-0">{children}</dd>
    </>
  )
}

export const daysLeftWords = (days: number): string => (days < 0 ? 'expired' : `${plural(days, 'day')} left`)

export function DaysLeft({ days }: { days: number }) {
  if (days < 0) return <strong className="text-ink">Expired</strong>
  return (
    <span>
      <strong className="text-ink">{days}</strong> {days === 1 ? 'day' : 'days'} left
    </span>
  )
}

export function CertificateFacts({ certificate }: { certificate: TlsCertificate }) {
  const { subject, issuer, altNames, validFrom, validTo, fingerprint256 } = certificate
  return (
    <>
      <Fact name="Certificate">{subject || 'without a subject'}</Fact>
      {altNames.length > 0 && <Fact name="For">{altNames.join(', ')}</Fact>}
      <Fact name="Issued by">{issuer || 'nobody named'}</Fact>
      <Fact name="Valid">
        <Instant at={validFrom} /> to <Instant at={validTo} />
      </Fact>
      <Fact name="Key">{keyWords(certificate)}</Fact>
      <Fact name="SHA-256">
        <span className="font-mono text-[0.8125rem] break-all">{fingerprint256}</span>
      </Fact>
    </>
  )
}

function keyWords({ keyType, keyBits, signatureAlgorithm }: TlsCertificate): string {
  const size = keyBits === null ? '' : `, ${keyBits} bits`
  return `${keyType.toUpperCase()}${size}${signatureAlgorithm === null ? '' : `, signed with ${signatureAlgorithm}`}`
}
