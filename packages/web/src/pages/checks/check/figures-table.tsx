import { locationName } from '../../../api/location-name.ts'
import type { Timeline } from '../../../api/timeline.ts'
import { formatMs } from '../../../components/number.ts'
import { Scroll } from '../../../components/scroll.tsx'
import type { LocationFigures } from './figures.ts'

const ms = (value: number | null): string => (value === null ? '–' : formatMs(value))

export function FiguresTable({ figures, missed }: { figures: readonly LocationFigures[]; missed: Timeline['missed'] }) {
  const missedAt = (at: string) =>
    missed.filter(({ location }) => location === at).reduce((sum, { count }) => sum + count, 0)
  return (
    <Scroll label="Response times by location">
      <table className="data-table data-table-inset">
        <thead>
          <tr>
            <th scope="col">Location</th>
            {['Passed', 'Degraded', 'Failed', 'In error', 'Missed', 'Median', '95th percentile', 'Slowest'].map(
              (name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {figures.map(({ location, verdicts, medianMs, p95Ms, slowestMs }) => (
            <tr key={location}>
              <th scope="row">{locationName(location)}</th>
              <td className="number">{verdicts.passed}</td>
              <td className="number">{verdicts.degraded}</td>
              <td className="number">{verdicts.failed}</td>
              <td className="number">{verdicts.error}</td>
              <td className="number">{missedAt(location)}</td>
              <td className="number">{ms(medianMs)}</td>
              <td className="number">{ms(p95Ms)}</td>
              <td className="number">{ms(slowestMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
