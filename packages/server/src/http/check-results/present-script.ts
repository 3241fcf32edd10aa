/** A run of a script in the words of the API. */
import type { BrowserCheckResult, LinkedAsset, MultiStepCheckResult, ScriptAssetType, ScriptRun } from '@vedette/schema'
import type { StoredResult } from '../../results/result-store.ts'

type Files = readonly LinkedAsset[]

export function presentMultiStep({ detail }: StoredResult, files: Files): MultiStepCheckResult | null {
  return detail?.answer?.kind === 'MULTI_STEP' ? shared(detail.answer.content, files) : null
}

export function presentBrowser({ detail }: StoredResult, files: Files): BrowserCheckResult | null {
  if (detail?.answer?.kind !== 'BROWSER') return null
  const { content } = detail.answer
  const { pages, console, failedRequests, traceSummary } = content
  return {
    type: 'PLAYWRIGHT_TEST',
    ...shared(content, files),
    playwrightTestVideos: urlsOf(files, 'video'),
    traceSummary,
    pages,
    console,
    failedRequests,
  }
}

function shared(run: ScriptRun, files: Files): MultiStepCheckResult {
  const { errors, startTime, endTime, runtime, jobLog, status, tests, degraded, leftOut } = run
  const pictures = urlsOf(files, 'screenshot', 'attachment')
  return {
    errors,
    startTime,
    endTime,
    runtimeVersion: runtime.id,
    jobLog: jobLog.length === 0 ? null : jobLog,
    jobAssets: pictures.length === 0 ? null : pictures,
    playwrightTestTraces: urlsOf(files, 'trace'),
    playwrightTestJsonReportFile: urlsOf(files, 'report')[0] ?? null,
    status,
    runtime,
    tests,
    degraded,
    assets: [...files],
    leftOut,
  }
}

function urlsOf(files: Files, ...types: readonly ScriptAssetType[]): string[] {
  return files.flatMap(({ type, url }) => (types.includes(type) ? [url] : []))
}
