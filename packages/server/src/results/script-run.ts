/** What is kept of a run of a script, of whatever kind. */
import { type RunDetail, SCRIPT_KINDS, type ScriptKind, type ScriptRun } from '@vedette/schema'
import type { StoredResult } from './result-store.ts'

/** Null where it was no script, or nothing was kept of it. */
export function scriptRunOf({ detail }: StoredResult): ScriptRun | null {
  const answer = detail?.answer ?? null
  return answer !== null && isOfScript(answer) ? answer.content : null
}

const isOfScript = (answer: RunDetail): answer is Extract<RunDetail, { kind: ScriptKind }> =>
  SCRIPT_KINDS.some((kind) => kind === answer.kind)
