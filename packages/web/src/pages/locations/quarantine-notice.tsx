import { Notice } from '../../components/notice.tsx'

/** Places whose runners are not believed now, and why: once for all that have the same reason. */
export function QuarantineNotice({ locations }: { locations: readonly { name: string; quarantine: string | null }[] }) {
  const byReason = Map.groupBy(
    locations.filter(({ quarantine }) => quarantine !== null),
    ({ quarantine }) => quarantine,
  )
  return [...byReason].map(([reason, places]) => (
    <Notice key={reason} tone="ours">
      <strong className="font-semibold">{whichOf(places, locations)} in quarantine:</strong> {reason}. Runs go to other
      places where they can; the others end in error and blame no target. It ends by itself once the runner is well
      again.
    </Notice>
  ))
}

function whichOf(places: readonly { name: string }[], all: readonly unknown[]): string {
  if (places.length > 1 && places.length === all.length) return 'All of these are'
  return `${places.map(({ name }) => name).join(', ')} ${places.length > 1 ? 'are' : 'is'}`
}
