/** A run of a script in the words of the API. */
import type { BrowserCheckResult, MultiStepCheckResult, ScriptRun } from '@vedette/schema'
import type { StoredResult } from '../../results/result-store.ts'

export function presentMultiStep({ detail }: StoredResult): MultiStepCheckResult | null {
  return detail?.answer?.kind === 'MULTI_STEP' ? shared(detail.answer.content) : null
}

export function presentBrowser({ detail }: StoredResult): BrowserCheckResult | null {
  if (detail?.answer?.kind !== 'BROWSER') return null
  const { content } = detail.answer
  const { pages, console, failedRequests, traceSummary } = content
  return {
    type: 'PLAYWRIGHT_TEST',
    ...shared(content),
    playwrightTestVideos: [],
    traceSummary,
    pages,
    console,
    failedRequests,
  }
}

function shared(run: ScriptRun): MultiStepCheckResult {
  const { errors, startTime, endTime, runtime, jobLog, status, tests, degraded, leftOut } = run
  return {
    errors,
    startTime,
    endTime,
    runtimeVersion: runtime.id,
    jobLog: jobLog.length === 0 ? null : jobLog,
    jobAssets: null,
    playwrightTestTraces: [],
    playwrightTestJsonReportFile: null,
    status,
    runtime,
    tests,
    degraded,
    assets: [],
    leftOut,
  }
}
