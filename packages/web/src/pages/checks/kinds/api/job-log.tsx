import type { ApiCheckResult, LogEntry } from '@vedette/schema'
import { formatFull } from '../../../../components/instant.tsx'
import { plural } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'

const PHASES = [
  { key: 'setup', title: 'Before the request' },
  { key: 'request', title: 'Request' },
  { key: 'teardown', title: 'After the request' },
]
const COLOURS: Record<string, string> = { ERROR: 'text-bad', WARN: 'text-warn' }
const ROWS: Record<string, string> = { ERROR: 'bg-bad-soft', WARN: 'bg-warn-soft' }

/** What scripts said, in their order. */
export function JobLogSection({ log }: { log: NonNullable<ApiCheckResult['jobLog']> }) {
  const spoken = PHASES.flatMap(({ key, title }) => {
    const entries = log[key] ?? []
    return entries.length === 0 ? [] : [{ title, entries }]
  })
  return (
    <Section title="Log of the scripts" aside={troubleIn(spoken.flatMap(({ entries }) => entries))}>
      {spoken.length === 0 && <p className="text-[0.875rem] text-soft">The scripts said nothing.</p>}
      <div className="space-y-5">
        {spoken.map(({ title, entries }) => (
          <div key={title}>
            <h3 className="mb-1 text-[0.8125rem] text-faint">{title}</h3>
            <ol aria-label={`Log: ${title}`} className="font-mono text-[0.8125rem]">
              {entries.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a log does not change
                <Line key={index} entry={entry} />
              ))}
            </ol>
          </div>
        ))}
      </div>
    </Section>
  )
}

/** On a phone what is said stands below its time. */
function Line({ entry: { time, level, msg } }: { entry: LogEntry }) {
  return (
    <li
      className={`grid grid-cols-[auto_1fr] gap-x-3 rounded px-2 py-1 sm:grid-cols-[auto_3rem_1fr] ${ROWS[level] ?? ''}`}
    >
      <time dateTime={new Date(time).toISOString()} title={formatFull(time)} className="text-faint">
        {clock.format(time)}
      </time>
      <span className={COLOURS[level] ?? 'text-faint'}>{level}</span>
      <span className="col-span-2 min-w-0 break-words whitespace-pre-wrap sm:col-span-1">{msg}</span>
    </li>
  )
}

/** In the reader's own time, as elsewhere; to the millisecond, because scripts are over in a few. */
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

function troubleIn(entries: readonly LogEntry[]): string {
  const count = (wanted: string) => entries.filter(({ level }) => level === wanted).length
  const [errors, warnings] = [count('ERROR'), count('WARN')]
  return [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : '']
    .filter((words) => words !== '')
    .join(', ')
}
