/** Runs of a script that buys a lantern, as Playwright tells of them. */
import type { ScriptError, ScriptRun, ScriptStep, ScriptTest } from '@vedette/schema'

const FILE = 'shop/buy-a-lantern.spec.ts'
const START = Date.now()

const step = (title: string, category: string, depth: number, start: number, duration: number | null): ScriptStep => ({
  title,
  category,
  depth,
  start,
  duration,
  error: null,
  location: { file: FILE, line: 4 + depth * 3, column: 3 + depth * 2 },
})

const TIMED_OUT: ScriptError = {
  message: [
    'Error: expect(locator).toHaveText(expected) failed',
    '',
    "Locator:  getByTestId('basket-total')",
    'Expected: "€ 24.50"',
    'Received: "€ 0.00"',
    'Timeout:  5000ms',
  ].join('\n'),
  stack: `Error: expect(locator).toHaveText(expected) failed\n    at ${FILE}:14:52`,
  snippet: [
    "  12 |   await test.step('fill the basket', async () => {",
    "  13 |     await page.getByRole('button', { name: 'Into the basket' }).click()",
    "> 14 |     await expect(page.getByTestId('basket-total')).toHaveText('€ 24.50')",
    '     |                                                    ^',
    '  15 |   })',
    '  16 | })',
  ].join('\n'),
  location: { file: FILE, line: 14, column: 52 },
}

const test = (changes: Partial<ScriptTest>): ScriptTest => ({
  title: ['shop', 'a lantern can be bought'],
  project: '',
  location: { file: FILE, line: 3, column: 1 },
  retry: 0,
  isLast: true,
  status: 'passed',
  expected: 'passed',
  start: 180,
  duration: 2400,
  errors: [],
  annotations: [],
  steps: [
    step('Before Hooks', 'hook', 0, 190, 320),
    step('Fixture "browser"', 'fixture', 1, 192, 14),
    step('Fixture "context"', 'fixture', 1, 210, 120),
    step('Fixture "page"', 'fixture', 1, 332, 170),
    step('open the shop', 'test.step', 0, 520, 790),
    step('Navigate to "/"', 'pw:api', 1, 522, 640),
    step('Expect "toHaveTitle"', 'expect', 1, 1170, 130),
    step('fill the basket', 'test.step', 0, 1315, 1020),
    step("Click getByRole('button', { name: 'Into the basket' })", 'pw:api', 1, 1318, 480),
    step('Expect "toHaveText"', 'expect', 1, 1802, 520),
    step('After Hooks', 'hook', 0, 2380, 90),
    step('Fixture "page"', 'fixture', 1, 2382, 80),
  ],
  ...changes,
})

const failing = (changes: Partial<ScriptTest>): ScriptTest =>
  test({
    status: 'failed',
    duration: 7400,
    errors: [TIMED_OUT],
    steps: [
      step('Before Hooks', 'hook', 0, 190, 320),
      step('Fixture "browser"', 'fixture', 1, 192, 14),
      step('Fixture "context"', 'fixture', 1, 210, 120),
      step('Fixture "page"', 'fixture', 1, 332, 170),
      step('open the shop', 'test.step', 0, 520, 790),
      step('Navigate to "/"', 'pw:api', 1, 522, 640),
      step('Expect "toHaveTitle"', 'expect', 1, 1170, 130),
      { ...step('fill the basket', 'test.step', 0, 1315, 5990), error: TIMED_OUT },
      step("Click getByRole('button', { name: 'Into the basket' })", 'pw:api', 1, 1318, 480),
      { ...step('Expect "toHaveText"', 'expect', 1, 1802, 5500), error: TIMED_OUT },
      step('After Hooks', 'hook', 0, 7310, 260),
      step('Screenshot', 'pw:api', 1, 7312, 140),
      step('Fixture "page"', 'fixture', 1, 7455, 110),
    ],
    ...changes,
  })

const good = (value: number) => ({ score: 'GOOD' as const, value })

export const passedRun = (changes: Partial<ScriptRun> = {}): ScriptRun => ({
  status: 'passed',
  startTime: START,
  endTime: START + 2700,
  runtime: {
    id: '2025.04',
    node: 'v24.21.0',
    playwright: '1.65.1',
    browser: 'Chromium 156.0.7204.49',
    engine: 'warm',
  },
  errors: [],
  tests: [test({})],
  pages: [
    {
      url: 'http://shop.test/',
      webVitals: { TTFB: good(84), FCP: good(412), LCP: good(655), CLS: good(0.012), TBT: good(30) },
      pageTimings: { onContentLoad: 512, onLoad: 780 },
    },
  ],
  console: [{ time: START + 700, level: 'info', text: 'lantern shop, release 7.2', url: 'http://shop.test/' }],
  failedRequests: [],
  traceSummary: { consoleErrors: 0, networkErrors: 0, documentErrors: 0, userScriptErrors: 0 },
  degraded: null,
  jobLog: [{ time: START + 510, level: 'INFO', msg: 'buying as ada' }],
  assets: [],
  leftOut: false,
  ...changes,
})

/** At the second try as at the first. */
export const failedRun = (changes: Partial<ScriptRun> = {}): ScriptRun =>
  passedRun({
    status: 'failed',
    endTime: START + 16_300,
    errors: [TIMED_OUT],
    tests: [
      failing({ isLast: false }),
      failing({ retry: 1 }),
      test({
        title: ['shop', 'the imprint is there'],
        location: { file: FILE, line: 20, column: 1 },
        status: 'skipped',
        expected: 'skipped',
        steps: [],
        duration: 0,
        annotations: [{ type: 'skip', description: 'until the move is over' }],
      }),
    ],
    pages: [
      {
        url: 'http://shop.test/a/page/with/a/long/address/that/hardly/fits/on/the/line/of/a/phone?and=more&of=it',
        webVitals: {
          TTFB: good(91),
          FCP: { score: 'NEEDS_IMPROVEMENT', value: 2150 },
          LCP: { score: 'POOR', value: 4410 },
          CLS: { score: 'NEEDS_IMPROVEMENT', value: 0.184 },
          TBT: null,
        },
        pageTimings: { onContentLoad: 1512, onLoad: null },
      },
    ],
    console: [
      { time: START + 700, level: 'info', text: 'lantern shop, release 7.3', url: 'http://shop.test/' },
      { time: START + 900, level: 'warning', text: 'The price list is an hour old.', url: 'http://shop.test/' },
      {
        time: START + 1800,
        level: 'error',
        text: "TypeError: Cannot read properties of undefined (reading 'price')\n    at basket.js:41:17",
        url: 'http://shop.test/basket',
      },
    ],
    failedRequests: [
      {
        time: START + 1750,
        method: 'POST',
        url: 'http://shop.test/api/basket/lines',
        problem: '502 Bad Gateway',
        isDocument: false,
      },
      {
        time: START + 1760,
        method: 'GET',
        url: 'http://images.shop.test/lantern.avif',
        problem: 'net::ERR_CONNECTION_REFUSED',
        isDocument: false,
      },
    ],
    traceSummary: { consoleErrors: 1, networkErrors: 2, documentErrors: 0, userScriptErrors: 1 },
    jobLog: [
      { time: START + 510, level: 'INFO', msg: 'buying as ada' },
      { time: START + 7320, level: 'ERROR', msg: 'the basket is empty' },
    ],
    leftOut: true,
    ...changes,
  })

/** Two thousand steps, of which one failed and the last was under way when time was up. */
export const longRun = (): ScriptRun => {
  const steps = Array.from({ length: 2000 }, (_, index): ScriptStep => {
    const one = step(`buy lantern ${index + 1}`, 'test.step', 0, 200 + index * 10, index === 1999 ? null : 9)
    return index === 1499 ? { ...one, error: { ...TIMED_OUT, message: 'Error: sold out' } } : one
  })
  const late = { message: 'Test timeout of 30000ms exceeded.', stack: null, snippet: null, location: null }
  return passedRun({
    status: 'failed',
    endTime: START + 30_500,
    errors: [late],
    tests: [test({ title: ['everything is bought'], status: 'timedOut', duration: 30_000, errors: [late], steps })],
    pages: [],
    console: [],
  })
}
