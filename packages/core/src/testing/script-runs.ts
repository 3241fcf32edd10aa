/** Runs of scripts for tests: some tests with nested steps, a few pages, what pages said and asked for. */
import {
  type ConsoleMessage,
  type FailedRequest,
  type ScriptError,
  type ScriptRun,
  type ScriptStep,
  type ScriptTest,
  type SeenPage,
  scoreOf,
  type WebVital,
} from '@vedette/schema'
import fc from 'fast-check'

const START_MS = Date.parse('2026-03-02T08:00:00.000Z')
const FILE = 'shop.spec.ts'

export const scriptError = (message: string): ScriptError => ({ message, stack: null, snippet: null, location: null })

export function scriptStep(title: string, more: Partial<ScriptStep> = {}): ScriptStep {
  return { title, category: 'pw:api', depth: 0, start: 0, duration: 50, error: null, location: null, ...more }
}

export function scriptTest(title: string, steps: ScriptStep[], more: Partial<ScriptTest> = {}): ScriptTest {
  return {
    title: [title],
    project: '',
    location: { file: FILE, line: 1, column: 1 },
    retry: 0,
    isLast: true,
    status: 'passed',
    expected: 'passed',
    start: 0,
    duration: 900,
    errors: [],
    annotations: [],
    steps,
    ...more,
  }
}

/** Vitals in the order TTFB, FCP, LCP, CLS, TBT; null: the page did not tell. */
export function seenPage(url: string, values: readonly (number | null)[] = [100, 400, 900, 0.02, 50]): SeenPage {
  const vital = (name: WebVital, place: number) => {
    const value = values[place] ?? null
    return value === null ? null : { score: scoreOf(name, value), value }
  }
  return {
    url,
    webVitals: {
      TTFB: vital('TTFB', 0),
      FCP: vital('FCP', 1),
      LCP: vital('LCP', 2),
      CLS: vital('CLS', 3),
      TBT: vital('TBT', 4),
    },
    pageTimings: { onContentLoad: 500, onLoad: 800 },
  }
}

export function consoleMessage(text: string, more: Partial<ConsoleMessage> = {}): ConsoleMessage {
  return { time: START_MS + 100, level: 'error', text, url: 'http://shop.test/', ...more }
}

export function failedRequest(url: string, more: Partial<FailedRequest> = {}): FailedRequest {
  return { time: START_MS + 100, method: 'GET', url, problem: 'net::ERR_FAILED', isDocument: false, ...more }
}

export function scriptRun(more: Partial<ScriptRun> = {}): ScriptRun {
  const run = {
    status: 'passed' as const,
    startTime: START_MS,
    endTime: START_MS + 1200,
    runtime: { id: '2026.04', node: '24', playwright: '1.65.1', browser: 'Chromium 156', engine: 'warm' as const },
    errors: [],
    tests: [],
    pages: [],
    console: [],
    failedRequests: [],
    degraded: null,
    jobLog: [],
    assets: [],
    leftOut: false,
    ...more,
  }
  return { ...run, traceSummary: more.traceSummary ?? summaryOf(run) }
}

function summaryOf({ console, failedRequests }: Pick<ScriptRun, 'console' | 'failedRequests'>) {
  return {
    consoleErrors: console.filter(({ level }) => level === 'error').length,
    networkErrors: failedRequests.filter(({ isDocument }) => !isDocument).length,
    documentErrors: failedRequests.filter(({ isDocument }) => isDocument).length,
    userScriptErrors: 0,
  }
}

const PATHS = ['', 'basket', 'checkout', 'orders/17', 'orders/18?from=mail']
const address = fc.constantFrom(...PATHS).map((path) => `http://shop.test/${path}`)
const time = fc.integer({ min: 0, max: 1000 }).map((ms) => START_MS + ms)

const step = fc
  .record({
    title: fc.constantFrom('Navigate to "/"', 'Click locator("#buy")', 'Expect "toBeVisible"', 'Pay order 17'),
    category: fc.constantFrom('pw:api', 'pw:api', 'test.step', 'expect', 'hook'),
    deeper: fc.boolean(),
    start: fc.integer({ min: 0, max: 1000 }),
    duration: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 5000 }) }, fc.constant(null)),
    error: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constant(scriptError('it is not visible'))),
  })
  .map(({ deeper, ...rest }) => ({ ...rest, deeper }))

const steps: fc.Arbitrary<ScriptStep[]> = fc.array(step, { maxLength: 8 }).map((all) => {
  let depth = -1
  return all.map(({ deeper, ...rest }) => {
    depth = deeper ? depth + 1 : Math.max(0, depth)
    return scriptStep(rest.title, { ...rest, depth })
  })
})

const test = fc
  .record({
    title: fc.constantFrom('buys', 'searches', 'signs in'),
    status: fc.constantFrom('passed' as const, 'passed' as const, 'failed' as const, 'skipped' as const),
    isLast: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    steps,
  })
  .map(({ title, steps, ...rest }) => scriptTest(title, steps, rest))

const vitals = fc.tuple(
  ...[2000, 4000, 5000, 0.4, 900].map((most) =>
    fc.option(fc.double({ min: 0, max: most, noNaN: true }).map((value) => Math.fround(value))),
  ),
)
export const scriptPages: fc.Arbitrary<SeenPage[]> = fc.array(
  fc.tuple(address, vitals).map(([url, values]) => seenPage(url, values)),
  { maxLength: 4 },
)

const messages = fc.array(
  fc
    .record({
      time,
      level: fc.constantFrom('error' as const, 'error' as const, 'warning' as const),
      text: fc.constantFrom('x is not a function', 'order 17 is gone', 'order 18 is gone', 'no token'),
      url: address,
    })
    .map(({ text, ...rest }) => consoleMessage(text, rest)),
  { maxLength: 6 },
)
const requests = fc.array(
  fc
    .record({ time, method: fc.constantFrom('GET', 'POST'), isDocument: fc.boolean() })
    .chain((rest) => address.map((url) => failedRequest(url, rest))),
  { maxLength: 6 },
)

export const scriptRuns: fc.Arbitrary<ScriptRun> = fc
  .record({ tests: fc.array(test, { maxLength: 3 }), pages: scriptPages, console: messages, failedRequests: requests })
  .map((parts) => scriptRun(parts))
