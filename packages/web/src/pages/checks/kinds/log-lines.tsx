import type { LogEntry } from '@vedette/schema'
import { formatFull } from '../../../components/instant.tsx'
import { plural } from '../../../components/number.ts'

const COLOURS: Record<string, string> = { ERROR: 'text-bad', WARN: 'text-warn' }
const ROWS: Record<string, string> = { ERROR: 'bg-bad-soft', WARN: 'bg-warn-soft' }

/** What a script said, in its order. */
export function LogLines({ label, entries }: { label: string; entries: readonly LogEntry[] }) {
  return (
    <ol aria-label={label} className="font-mono text-[0.8125rem]">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a log does not change
        <Line key={index} entry={entry} />
      ))}
    </ol>
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

export const formatClock = (time: number): string => clock.format(time)

export function troubleIn(entries: readonly LogEntry[]): string {
  const count = (wanted: string) => entries.filter(({ level }) => level === wanted).length
  const [errors, warnings] = [count('ERROR'), count('WARN')]
  return [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : '']
    .filter((words) => words !== '')
    .join(', ')
}
