/** A run of a script beside another, in the words of the API. */
import { compareRuns, pairScreenshots } from '@vedette/core'
import {
  type CheckResult,
  type LinkedAsset,
  type RunComparison,
  SCRIPT_KINDS,
  type ScriptKind,
  type ScriptRun,
} from '@vedette/schema'
import type { StoredCheck } from '../../checks/check.ts'
import type { StoredResult } from '../../results/result-store.ts'
import { presentResult } from './present.ts'

/** Undefined where one of them is no run of a script. */
export function compareResults(
  check: StoredCheck,
  result: StoredResult,
  other: StoredResult,
  slugOf: (result: StoredResult) => string,
): RunComparison | undefined {
  const [run, before] = [scriptRunOf(result), scriptRunOf(other)]
  if (run === undefined || before === undefined) return undefined
  return {
    result: told(result, run, slugOf),
    with: told(other, before, slugOf),
    ...compareRuns(run, before),
    screenshots: pairScreenshots(
      assetsOf(presentResult(check, result, slugOf(result))),
      assetsOf(presentResult(check, other, slugOf(other))),
    ),
  }
}

function scriptRunOf({ detail }: StoredResult): ScriptRun | undefined {
  const answer = detail?.answer
  return answer && isOfScript(answer) ? answer.content : undefined
}

type Answer = NonNullable<NonNullable<StoredResult['detail']>['answer']>
const isOfScript = (answer: Answer): answer is Extract<Answer, { kind: ScriptKind }> =>
  SCRIPT_KINDS.some((kind) => kind === answer.kind)

function told(result: StoredResult, run: ScriptRun, slugOf: (result: StoredResult) => string): RunComparison['with'] {
  return {
    id: result.id,
    runLocation: slugOf(result),
    startedAt: new Date(result.startedAtMs).toISOString(),
    verdict: result.flags.verdict,
    duration: run.endTime - run.startTime,
    errorMessage: result.detail?.error ?? null,
    leftOut: run.leftOut,
  }
}

function assetsOf({ browserCheckResult, multiStepCheckResult, playwrightCheckResult }: CheckResult): LinkedAsset[] {
  return (browserCheckResult ?? multiStepCheckResult ?? playwrightCheckResult)?.assets ?? []
}
