/** Spans one after the other on a common scale: a table, so that the figures are there without the picture. */
export interface Phase {
  name: string
  explanation: string
  startMs: number
  ms: number
}

const fills = ['bg-idle', 'bg-(--series-3)', 'bg-(--series-2)', 'bg-(--series-1)', 'bg-(--series-4)']

export function Phases({
  caption,
  phases,
  totalMs,
  format,
}: {
  caption: string
  phases: readonly Phase[]
  totalMs: number
  format: (ms: number) => string
}) {
  const scale = Math.max(totalMs, ...phases.map(({ startMs, ms }) => startMs + ms), 0.001)
  return (
    <table className="data-table data-table-inset">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Phase</th>
          <th scope="col">Place in the whole</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {phases.map(({ name, explanation, startMs, ms }, index) => (
          <tr key={name}>
            <th scope="row" className="w-px whitespace-nowrap!" title={explanation}>
              {name}
            </th>
            <td className="w-full">
              <div aria-hidden="true" className="relative mt-0.75 h-3.5 rounded-sm bg-sunken">
                <div
                  className={`absolute inset-y-0 min-w-0.5 rounded-sm ${fills[index % fills.length]}`}
                  style={{ left: `${(startMs / scale) * 100}%`, width: `${(ms / scale) * 100}%` }}
                />
              </div>
            </td>
            <td className="number w-px whitespace-nowrap">{format(ms)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" className="border-b-0!">
            In all
          </th>
          <td className="border-b-0!" />
          <td className="number border-b-0! font-semibold whitespace-nowrap">{format(totalMs)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
