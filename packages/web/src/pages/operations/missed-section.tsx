import { Link } from '@tanstack/react-router'
import type { Operations } from '@vedette/schema'
import { locationName } from '../../api/location-name.ts'
import { Instant } from '../../components/instant.tsx'
import { formatCount } from '../../components/number.ts'
import { Scroll } from '../../components/scroll.tsx'
import { Section } from '../../components/section.tsx'

type Missed = Operations['missed'][number]

/** Runs that fell due and that nobody ran in time: counted, shown, and never held against the target. */
export function MissedSection({ missed }: { missed: Operations['missed'] }) {
  return (
    <Section title="Missed runs" flush>
      {missed.length === 0 ? (
        <p className="px-5 py-8 text-center text-soft">Every run that fell due was run.</p>
      ) : (
        <Scroll label="Missed runs">
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">Check</th>
                <th scope="col">Location</th>
                <th scope="col" className="number">
                  Runs
                </th>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col" className="w-full">
                  Reason
                </th>
              </tr>
            </thead>
            <tbody>
              {stretches(missed).map(({ first, last, count }) => (
                <tr key={keyOf(last)}>
                  <td className="min-w-40 lg:min-w-64">
                    <Link to="/checks/$checkId" params={{ checkId: last.checkId }} className="link">
                      {last.name}
                    </Link>
                  </td>
                  <td className="whitespace-nowrap">{locationName(last.location)}</td>
                  <td className="number">{formatCount(count)}</td>
                  <td>
                    <Instant at={first.slotAt} />
                  </td>
                  <td>
                    <Instant at={last.slotAt} />
                  </td>
                  <td className="min-w-48 text-soft">{last.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Section>
  )
}

/** What one check missed in one place for one reason is one line, newest first as they come. */
function stretches(missed: readonly Missed[]): { first: Missed; last: Missed; count: number }[] {
  return [...Map.groupBy(missed, keyOf).values()].flatMap((same) => {
    const last = same[0]
    const first = same.at(-1)
    return first && last ? [{ first, last, count: same.reduce((sum, { count }) => sum + count, 0) }] : []
  })
}

const keyOf = ({ checkId, location, reason }: Missed): string => `${checkId} ${location} ${reason}`
