import { useQuery } from '@tanstack/react-query'
import type { CheckStatus } from '@vedette/schema'
import { statusesQuery } from '../../../api/statuses.ts'
import { Icon, type IconName } from '../../../components/icon.tsx'
import { type Tone, toneText } from '../../../components/notice.tsx'
import { formatCount } from '../../../components/number.ts'
import { states } from '../verdict.tsx'

const REFRESH_MS = 10_000

/** How many checks are in which state, over all pages of the list. */
export function Summary() {
  const statuses = useQuery({ ...statusesQuery, refetchInterval: REFRESH_MS })
  const counts = count(statuses.data ?? [])
  const shown: { label: string; count: number; tone: Tone; icon: IconName }[] = [
    { label: 'failing', count: counts.failing, ...states.failing },
    { label: 'degraded', count: counts.degraded, ...states.degraded },
    { label: 'passing', count: counts.passing, ...states.passing },
    ...(counts.ours > 0
      ? [{ label: 'in our trouble', count: counts.ours, tone: 'ours', icon: 'wrench' } as const]
      : []),
  ]
  return (
    <section aria-label="Summary" className="mb-4">
      <ul className="flex flex-wrap gap-x-7 gap-y-2">
        {shown.map(({ label, count: number, tone, icon }) => (
          <li key={label} className={`flex items-baseline gap-2 ${number > 0 ? toneText[tone] : 'text-faint'}`}>
            <Icon name={icon} size={15} className="self-center" />
            <span className="text-2xl leading-8 font-semibold">{statuses.data ? formatCount(number) : '–'}</span>
            <span className="text-[0.875rem] font-medium">{label}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function count(statuses: readonly CheckStatus[]) {
  const counts = { failing: 0, degraded: 0, passing: 0, ours: 0 }
  for (const { hasFailures, isDegraded, hasErrors } of statuses) {
    counts[hasFailures ? 'failing' : isDegraded ? 'degraded' : 'passing'] += 1
    if (hasErrors) counts.ours += 1
  }
  return counts
}
