/** A heartbeat as its form holds it. */
import type { HeartbeatCheck, HeartbeatCheckCreate, HeartbeatUnit } from '@vedette/schema'

export interface HeartbeatDraft {
  /** Whether pings come every so often or by the clock. */
  expected: 'period' | 'schedule'
  period: string
  periodUnit: HeartbeatUnit
  cron: string
  timezone: string
  grace: string
  graceUnit: HeartbeatUnit
}

export const blankHeartbeat = (): HeartbeatDraft => ({
  expected: 'period',
  period: '1',
  periodUnit: 'days',
  cron: '0 3 * * *',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  grace: '30',
  graceUnit: 'minutes',
})

export function draftHeartbeat({ heartbeat }: Pick<HeartbeatCheck, 'heartbeat'>): HeartbeatDraft {
  const { period, periodUnit, grace, graceUnit, schedule } = heartbeat
  return {
    ...blankHeartbeat(),
    expected: schedule ? 'schedule' : 'period',
    period: String(period),
    periodUnit,
    grace: String(grace),
    graceUnit,
    ...(schedule ?? {}),
  }
}

export function writeHeartbeat(draft: HeartbeatDraft): Pick<HeartbeatCheckCreate, 'heartbeat'> {
  const { expected, period, periodUnit, cron, timezone, grace, graceUnit } = draft
  return {
    heartbeat: {
      period: Number(period),
      periodUnit,
      grace: Number(grace),
      graceUnit,
      schedule: expected === 'schedule' ? { cron: cron.trim(), timezone: timezone.trim() } : null,
    },
  }
}
