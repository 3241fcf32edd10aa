import type { Check } from '@vedette/schema'

/** The group that holds the check. A heartbeat is in none. */
export const groupOf = (check: Check): number | null => ('groupId' in check ? check.groupId : null)
