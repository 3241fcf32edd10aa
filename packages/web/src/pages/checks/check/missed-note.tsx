import type { Timeline } from '../../../api/timeline.ts'
import { plural } from '../../../components/number.ts'

export const countMissed = (missed: Timeline['missed']): number => missed.reduce((sum, { count }) => sum + count, 0)

/** Absent while nothing was missed. */
export function MissedNote({ missed }: { missed: Timeline['missed'] }) {
  const last = missed.at(-1)
  if (!last) return null
  const count = countMissed(missed)
  return (
    <p>
      {plural(count, 'run was', 'runs were')} missed: due, but nobody ran {count === 1 ? 'it' : 'them'} in time. Last
      reason: {last.reason}
    </p>
  )
}
