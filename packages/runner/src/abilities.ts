/** What this runner can execute, by what it has and has found out. */
import {
  type Abilities,
  type Isolation,
  KINDS_WITH_RUNTIME,
  RUNNABLE_KINDS,
  type RunnerBrowser,
  type RunnerRuntime,
} from '@vedette/schema'

/** What is there to execute scripts with. */
export interface Equipment {
  runtimes: RunnerRuntime[]
  browser: RunnerBrowser | null
  recordsVideo: boolean
}

/**
 * Scripts only where they are kept apart; those that open pages, or may, only with a browser.
 * @param equipment null, as isolation: it has not been found out yet
 */
export function abilitiesOf(equipment: Equipment | null, isolation: Isolation | null): Abilities {
  const { runtimes, browser, recordsVideo } = equipment ?? { runtimes: [], browser: null, recordsVideo: false }
  const isApart = isolation !== null && isolation.level !== 'none'
  const canRun = (kind: (typeof RUNNABLE_KINDS)[number]) => {
    if (!KINDS_WITH_RUNTIME.includes(kind)) return true
    return isApart && runtimes.length > 0 && (kind === 'MULTI_STEP' || browser !== null)
  }
  return { kinds: RUNNABLE_KINDS.filter(canRun), runtimes, browser, recordsVideo }
}
