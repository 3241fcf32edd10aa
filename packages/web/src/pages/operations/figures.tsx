import type { Operations } from '@vedette/schema'
import { formatDuration } from '../../components/duration.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { type Tone, toneText } from '../../components/notice.tsx'
import { formatCount, formatMs, formatPercent } from '../../components/number.ts'

interface Figure {
  name: string
  value: string
  note: string
  tone: Tone
}

/** A runner that starts this late is short of time or of machine. */
const LATE_MS = 1000
/** A message that waits this long is late for whoever should know. */
const WAITING_MS = 30_000

const icons: Partial<Record<Tone, IconName>> = { warn: 'slow', bad: 'cross', ours: 'wrench' }

export function Figures({ operations }: { operations: Operations }) {
  return (
    <dl className="mb-5 grid grid-cols-2 gap-3 lg:grid-cols-3">
      {figuresOf(operations).map(({ name, value, note, tone }) => (
        <div key={name} className="card px-4 py-3.5 sm:px-5">
          <dt className="text-[0.8125rem] font-semibold text-faint">{name}</dt>
          <dd className={`mt-0.5 text-xl font-semibold sm:text-2xl ${tone === 'good' ? '' : toneText[tone]}`}>
            <span className="flex items-center gap-2">
              {value}
              {icons[tone] && <Icon name={icons[tone]} size={18} />}
            </span>
          </dd>
          <dd className="text-[0.8125rem] text-soft">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

function figuresOf({ lateness, coverage, runs, notifications }: Operations): Figure[] {
  const ms = (value: number | null) => (value === null ? '–' : formatMs(value))
  const { p50Ms, p99Ms } = lateness
  return [
    {
      name: 'Coverage',
      value: coverage.ratio === null ? '–' : formatPercent(coverage.ratio * 100),
      note: `${formatCount(coverage.done)} runs done, ${formatCount(coverage.missed)} missed`,
      tone: coverage.missed > 0 ? 'warn' : 'good',
    },
    {
      name: 'Lateness',
      value: ms(p99Ms),
      note: `99 of 100 runs start within this; half within ${ms(p50Ms)}`,
      tone: p99Ms !== null && p99Ms > LATE_MS ? 'warn' : 'good',
    },
    {
      name: 'Runs',
      value: `${runs.perSecond.toFixed(1)} / s`,
      note: `${formatCount(runs.leased)} in the hands of runners now`,
      tone: 'good',
    },
    {
      name: 'Overdue runs',
      value: formatCount(runs.overdue),
      note:
        runs.oldestOverdueMs === null
          ? 'nothing waits for a runner'
          : `the oldest by ${formatMs(runs.oldestOverdueMs)}`,
      tone: runs.oldestOverdueMs !== null && runs.oldestOverdueMs > LATE_MS ? 'warn' : 'good',
    },
    {
      name: 'Runs in error',
      value: formatCount(runs.inError),
      note: 'ended in trouble of our own, not the target’s',
      tone: runs.inError > 0 ? 'ours' : 'good',
    },
    {
      name: 'Notifications waiting',
      value: formatCount(notifications.waiting),
      note: `${
        notifications.oldestWaitingMs === null
          ? 'none is waiting'
          : `the oldest for ${formatDuration(notifications.oldestWaitingMs)}`
      }; ${formatCount(notifications.failedLastHour)} not delivered in the last hour`,
      tone:
        notifications.failedLastHour > 0
          ? 'bad'
          : notifications.oldestWaitingMs !== null && notifications.oldestWaitingMs > WAITING_MS
            ? 'warn'
            : 'good',
    },
  ]
}
