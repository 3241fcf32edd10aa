import { DASHES, SERIES_COLORS } from '../../../components/chart-looks.ts'

interface TimelineLegendProps {
  locations: readonly string[]
  failed: boolean
  inError: boolean
  missed: boolean
}

/** What the lines and marks of the chart mean, drawn as they are there. */
export function TimelineLegend({ locations, failed, inError, missed }: TimelineLegendProps) {
  const marks = [
    { name: 'Failed', shown: failed, className: 'text-bad', path: 'M2 2l8 8M10 2l-8 8' },
    { name: 'In error: our trouble', shown: inError, className: 'text-ours', path: 'M6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8' },
    { name: 'Missed', shown: missed, className: 'text-idle', path: 'M6 1v10' },
  ].filter(({ shown }) => shown)
  return (
    <ul aria-label="Legend" className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-soft">
      {locations.map((location, index) => (
        <li key={location} className="flex items-center gap-2">
          <svg aria-hidden="true" width="26" height="8" viewBox="0 0 26 8">
            <path
              d="M0 4h26"
              strokeWidth="2"
              strokeDasharray={DASHES[index % DASHES.length]?.join(' ')}
              style={{ stroke: `var(--series-${(index % SERIES_COLORS) + 1})` }}
            />
          </svg>
          {location}
        </li>
      ))}
      {marks.map(({ name, className, path }) => (
        <li key={name} className="flex items-center gap-2">
          <svg aria-hidden="true" width="12" height="12" viewBox="0 0 12 12" className={className}>
            <path d={path} fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
