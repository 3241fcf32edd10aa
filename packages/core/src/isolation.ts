/** What can be said of a place that several runners serve. */
import { ISOLATION_LEVELS, type Isolation } from '@vedette/schema'

/** Of several runners, what a script can rely on whichever of them runs it. Null when none has said. */
export function weakestIsolation(of: readonly (Isolation | null)[]): Isolation | null {
  const known = of.filter((isolation) => isolation !== null)
  const rank = ({ level }: Isolation) => (level === 'none' ? ISOLATION_LEVELS.length : ISOLATION_LEVELS.indexOf(level))
  const [weakest] = known.toSorted((a, b) => rank(b) - rank(a))
  if (weakest === undefined) return null
  const layers = weakest.layers.filter((layer) => known.every((other) => other.layers.includes(layer)))
  return { level: weakest.level, layers }
}
