/** What runners report of scripts. */
import type { RunReport, ScriptKind, ScriptRun } from '@vedette/schema'

/** As a runner reports such a run. */
export function scriptReport(kind: ScriptKind, run: ScriptRun): Partial<RunReport> {
  const { consoleErrors, networkErrors, userScriptErrors, documentErrors } = run.traceSummary
  return {
    responseTimeMs: run.endTime - run.startTime,
    statusCode: null,
    networkError: false,
    phases: kind === 'BROWSER' ? [consoleErrors, networkErrors, userScriptErrors, documentErrors, 0] : null,
    fingerprint: null,
    detail: { kind, content: run },
  }
}
