/** A run of a script in the words of the API. */
import type {
  BrowserCheckResult,
  LinkedAsset,
  MultiStepCheckResult,
  PlaywrightCheckResult,
  ScriptAssetType,
  ScriptRun,
} from '@vedette/schema'
import type { StoredResult } from '../../results/result-store.ts'

type Files = readonly LinkedAsset[]

export function presentMultiStep({ detail }: StoredResult, files: Files): MultiStepCheckResult | null {
  return detail?.answer?.kind === 'MULTI_STEP' ? shared(detail.answer.content, files) : null
}

export function presentBrowser({ detail }: StoredResult, files: Files): BrowserCheckResult | null {
  if (detail?.answer?.kind !== 'BROWSER') return null
  const { content } = detail.answer
  return { type: 'PLAYWRIGHT_TEST', ...shared(content, files), ...ofPages(content, files) }
}

export function presentPlaywright({ detail }: StoredResult, files: Files): PlaywrightCheckResult | null {
  if (detail?.answer?.kind !== 'PLAYWRIGHT') return null
  const { content } = detail.answer
  const traces = files.filter(({ type }) => type === 'trace')
  return {
    ...shared(content, files),
    ...ofPages(content, files),
    playwrightTraceFiles: traces.map(({ url, name, test }) => ({ url, name: test ?? name, filename: name })),
  }
}

function ofPages({ pages, console, failedRequests, traceSummary }: ScriptRun, files: Files) {
  return { playwrightTestVideos: urlsOf(files, 'video'), traceSummary, pages, console, failedRequests }
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
