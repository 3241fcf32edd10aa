import type { ClientCertificate } from '@vedette/schema'
import { formatDistance } from '../../../components/duration.ts'
import { Instant, useNow } from '../../../components/instant.tsx'
import { Pill } from '../../../components/notice.tsx'

const SOON_MS = 30 * 86_400_000

/** Until when a certificate is good; marked when that is soon or over. */
export function Expiry({ certificate: { validFrom, validTo } }: { certificate: ClientCertificate }) {
  const now = useNow()
  const left = Date.parse(validTo) - now
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-faint">
      {left <= 0 && (
        <Pill tone="bad" icon="cross">
          Expired
        </Pill>
      )}
      {left > 0 && left < SOON_MS && (
        <Pill tone="warn" icon="slow">
          Expires soon
        </Pill>
      )}
      {Date.parse(validFrom) > now && (
        <Pill tone="warn" icon="slow">
          Not yet valid
        </Pill>
      )}
      <span>
        {left <= 0 ? 'It expired' : 'Expires'} <Instant at={validTo} />, {formatDistance(left)}
      </span>
    </p>
  )
}
