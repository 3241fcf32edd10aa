/** Runs what the user wrote with Playwright and tells what became of it. */
import type { Failure, ScriptObservation, WrittenScriptKind } from '@vedette/schema'
import type { PlaywrightJob, Recording } from '../playwright/job.ts'
import type { PlaywrightEnd } from '../playwright/playwright-host.ts'
import { jobOf, suiteJobOf } from '../playwright/run-files.ts'
import type { Probe } from './probe.ts'

/** A trace of requests is small; one of pages is worth its time only where something went wrong. */
const RECORDINGS: { readonly [K in WrittenScriptKind]: Recording } = {
  MULTI_STEP: { trace: 'on', video: 'off', screenshot: 'off' },
  BROWSER: { trace: 'retain-on-failure', video: 'retain-on-failure', screenshot: 'on' },
}

export const scriptProbe = <K extends WrittenScriptKind>(kind: K): Probe<K> => ({
  async observe(settings, { checkId, playwright, variables, scripts, limitMs }) {
    const begunAt = performance.now()
    let job: PlaywrightJob
    try {
      const parts = { settings, variables, snippets: scripts?.snippets ?? [], recording: RECORDINGS[kind], limitMs }
      job = jobOf(parts)
    } catch (error) {
      return without(failure('check', error instanceof Error ? error.message : String(error)), begunAt)
    }
    if (playwright === undefined) return without(failure('ours', 'this runner runs no scripts'), begunAt)
    const wanted = {
      runtimeId: settings.runtimeId,
      hasPages: kind === 'BROWSER',
      ...(checkId !== undefined && { checkId }),
    }
    return observed(await playwright.run(wanted, job), 'the script')
  },
})

export const suiteProbe: Probe<'PLAYWRIGHT'> = {
  async observe(settings, { playwright, bundles, variables, limitMs }) {
    const begunAt = performance.now()
    if (playwright === undefined || bundles === undefined)
      return without(failure('ours', 'this runner runs no suites'), begunAt)
    let bundle: string
    try {
      bundle = await bundles(settings.bundle)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return without(failure('ours', `the bundle of the suite could not be fetched: ${reason}`), begunAt)
    }
    const { runtimeId, hasPages } = settings
    const end = await playwright.run({ runtimeId, hasPages, bundle }, suiteJobOf({ settings, variables, limitMs }))
    return observed(end, 'the suite')
  },
}

function observed({ run, files, problem }: PlaywrightEnd, what: string): ScriptObservation {
  const responseTimeMs = run.endTime - run.startTime
  if (problem === null) return { response: run, failure: null, responseTimeMs, files, unfinished: null }
  const { text, ours } = problem
  const told = failure(ours ? 'ours' : 'check', ours ? text : `${what}: ${text}`)
  return { response: null, failure: told, responseTimeMs, files, unfinished: run }
}

function failure(blame: Failure['blame'], message: string): Failure {
  return { blame, code: 'ESCRIPT', message, phase: 'prepare' }
}

function without(failure: Failure, begunAt: number): ScriptObservation {
  return { response: null, failure, responseTimeMs: performance.now() - begunAt, files: [], unfinished: null }
}
