import { Link } from '@tanstack/react-router'
import type { Operations } from '@vedette/schema'
import { locationName } from '../../api/location-name.ts'
import { Instant } from '../../components/instant.tsx'
import { formatCount } from '../../components/number.ts'
import { Scroll } from '../../components/scroll.tsx'
import { Section } from '../../components/section.tsx'

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
                <th scope="col">Due at</th>
                <th scope="col">Check</th>
                <th scope="col">Location</th>
                <th scope="col" className="number">
                  Runs
                </th>
                <th scope="col" className="w-full">
                  Reason
                </th>
              </tr>
            </thead>
            <tbody>
              {missed.map(({ checkId, name, location, slotAt, count, reason }) => (
                <tr key={`${checkId} ${location} ${slotAt} ${reason}`}>
                  <td>
                    <Instant at={slotAt} />
                  </td>
                  <td className="min-w-36">
                    <Link to="/checks/$checkId" params={{ checkId }} className="link">
                      {name}
                    </Link>
                  </td>
                  <td className="whitespace-nowrap">{locationName(location)}</td>
                  <td className="number">{formatCount(count)}</td>
                  <td className="min-w-48 text-soft">{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Section>
  )
}
