import type { AlertSettings } from '@vedette/schema'
import { plural } from '../../components/number.ts'

const ENDLESS = 100_000

/** When trouble becomes an alert: “after 3 failed runs, 2 reminders”. */
export function alertWords(settings: AlertSettings): string {
  const { escalationType, runBasedEscalation, timeBasedEscalation, reminders } = settings
  const runs = runBasedEscalation?.failedRunThreshold ?? 1
  const after =
    escalationType === 'TIME_BASED'
      ? `after ${timeBasedEscalation?.minutesFailingThreshold ?? 5} min of failing`
      : `after ${runs === 1 ? 'the first failed run' : `${runs} failed runs`}`
  const amount = reminders?.amount ?? 0
  if (amount === 0) return after
  return `${after}, ${amount === ENDLESS ? 'reminders without end' : plural(amount, 'reminder')}`
}
