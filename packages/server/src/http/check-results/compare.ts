/** A run of a script beside another, in the words of the API. */
import { compareRuns, pairScreenshots } from '@vedette/core'
import { type LinkedAsset, type RunComparison, SCRIPT_KINDS, type ScriptKind, type ScriptRun } from '@vedette/schema'
import type { StoredResult } from '../../results/result-store.ts'

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
  if (run === undefined || before === undefined) return undefined
  return {
    result: told(result, run, regionOf(result.locationNo)),
    with: told(other, before, regionOf(other.locationNo)),
    ...compareRuns(run, before),
    screenshots: pairScreenshots(files.get(result.id) ?? [], files.get(other.id) ?? []),
  }
}

function scriptRunOf({ detail }: StoredResult): ScriptRun | undefined {
  const answer = detail?.answer
  return answer && isOfScript(answer) ? answer.content : undefined
}

type Answer = NonNullable<NonNullable<StoredResult['detail']>['answer']>
const isOfScript = (answer: Answer): answer is Extract<Answer, { kind: ScriptKind }> =>
  SCRIPT_KINDS.some((kind) => kind === answer.kind)

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
