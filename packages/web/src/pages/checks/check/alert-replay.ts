/** What a replay of alerts says, in words and side by side. */
import type { AlertReplay, AlertSettings } from '@vedette/schema'
import { formatDuration } from '../../../components/duration.ts'
import { plural } from '../../../components/number.ts'

export type ReplayedAlert = AlertReplay['live']['alerts'][number]

/** Whether both decide alike; what is left out means its default. */
export function isSame(one: AlertSettings, other: AlertSettings): boolean {
  return JSON.stringify(essence(one)) === JSON.stringify(essence(other))
}

function essence(settings: AlertSettings) {
  const { escalationType, runBasedEscalation, timeBasedEscalation, reminders, parallelRunFailureThreshold } = settings
  const amount = reminders?.amount ?? 0
  return [
    escalationType,
    escalationType === 'RUN_BASED'
      ? (runBasedEscalation?.failedRunThreshold ?? 1)
      : (timeBasedEscalation?.minutesFailingThreshold ?? 5),
    amount,
    amount === 0 ? null : (reminders?.interval ?? 5),
    parallelRunFailureThreshold?.enabled === true ? parallelRunFailureThreshold.percentage : null,
  ]
}

/** “They would have sent 3 alerts instead of 41, the first 4 min later.” */
export function replayWords({ live, draft, comparison }: AlertReplay): string {
  const sent = draft.count === 0 ? 'no alerts' : plural(draft.count, 'alert')
  const { firstAlertLaterByMs: laterMs } = comparison
  const first = laterMs === null ? '' : `, the first ${firstWords(laterMs)}`
  if (draft.count === live.count) return `They would have sent ${sent}, as many as those in force${first}.`
  return `They would have sent ${sent} instead of ${live.count === 0 ? 'none' : live.count}${first}.`
}

function firstWords(laterMs: number): string {
  if (laterMs === 0) return 'at the same time'
  return `${formatDuration(Math.abs(laterMs))} ${laterMs > 0 ? 'later' : 'earlier'}`
}

export function alertName({ to, reminder }: Pick<ReplayedAlert, 'to' | 'reminder'>): string {
  if (reminder > 0) return `Reminder ${reminder}: still ${to}`
  return to === 'passing' ? 'Recovered' : to === 'failing' ? 'Failing' : 'Degraded'
}

export interface ReplayRow {
  at: string
  live: ReplayedAlert | null
  draft: ReplayedAlert | null
}

/** In the order of time; what both would have told at the same time is one row. */
export function sideBySide(live: readonly ReplayedAlert[], draft: readonly ReplayedAlert[]): ReplayRow[] {
  const rows = new Map<string, ReplayRow>()
  for (const [side, alerts] of [
    ['live', live],
    ['draft', draft],
  ] as const)
    for (const alert of alerts) {
      const name = `${alert.at} ${alertName(alert)}`
      rows.set(name, { ...(rows.get(name) ?? { at: alert.at, live: null, draft: null }), [side]: alert })
    }
  return [...rows.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
