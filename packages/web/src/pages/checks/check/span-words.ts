import type { HeartbeatUnit } from '@vedette/schema'

/** “5 minutes”, “1 day”. */
export const spanWords = (count: number, unit: HeartbeatUnit): string =>
  `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
