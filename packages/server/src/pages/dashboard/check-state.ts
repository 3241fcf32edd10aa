/** How a check may be doing. */

/** Worst first, as far as there is better and worse. */
export const CHECK_STATES = ['failing', 'degraded', 'maintenance', 'unknown', 'passing', 'off'] as const
export type CheckState = (typeof CHECK_STATES)[number]
