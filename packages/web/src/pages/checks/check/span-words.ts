import type { HeartbeatSchedule, HeartbeatUnit } from '@vedette/schema'

/** “5 minutes”, “1 day”. */
export const spanWords = (count: number, unit: HeartbeatUnit): string =>
  `${count} ${count === 1 ? unit.slice(0, -1) : unit}`

interface Rhythm {
  period: number
  periodUnit: HeartbeatUnit
  schedule?: HeartbeatSchedule | null | undefined
}

/** “every 5 minutes”, or the schedule with its time zone. */
export const rhythmWords = ({ period, periodUnit, schedule }: Rhythm): string =>
  schedule ? `${schedule.cron} (${schedule.timezone})` : `every ${spanWords(period, periodUnit)}`
