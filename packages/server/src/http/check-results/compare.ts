/** A run of a script beside another, in the words of the API. */
import { compareRuns, pairScreenshots } from '@vedette/core'
import type { LinkedAsset, RunComparison, ScriptRun } from '@vedette/schema'
import type { StoredResult } from '../../results/result-store.ts'
import { scriptRunOf } from '../../results/script-run.ts'

interface Surroundings {
  /** What each of them left, by its id. */
  files: ReadonlyMap<string, readonly LinkedAsset[]>
  regionOf: (locationNo: number) => string
}

/** Undefined where one of them is no run of a script. */
export function compareResults(
  result: StoredResult,
  other: StoredResult,
  { files, regionOf }: Surroundings,
): RunComparison | undefined {
  const [run, before] = [scriptRunOf(result), scriptRunOf(other)]
  if (run === null || before === null) return undefined
  return {
    result: told(result, run, regionOf(result.locationNo)),
    with: told(other, before, regionOf(other.locationNo)),
    ...compareRuns(run, before),
    screenshots: pairScreenshots(files.get(result.id) ?? [], files.get(other.id) ?? []),
  }
}

function told(result: StoredResult, run: ScriptRun, runLocation: string): RunComparison['with'] {
  return {
    id: result.id,
    runLocation,
    startedAt: new Date(result.startedAtMs).toISOString(),
    verdict: result.flags.verdict,
    duration: run.endTime - run.startTime,
    errorMessage: result.detail?.error ?? null,
    leftOut: run.leftOut,
  }
}
