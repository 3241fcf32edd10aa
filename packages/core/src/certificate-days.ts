/** How long a certificate is still good for. */

const DAY_MS = 86_400_000

/** Whole days until an instant; negative once it has passed. */
export function wholeDaysUntil(instantMs: number, nowMs: number): number {
  return Math.floor((instantMs - nowMs) / DAY_MS)
}
