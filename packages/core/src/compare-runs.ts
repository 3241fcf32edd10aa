/**
 * What is different about a run of a script beside another, usually the last good one. What differs from run to run
 * (numbers, ids, query strings) makes no difference, nor does the order in which pages said something.
 */
import {
  type ConsoleMessage,
  type DifferentStep,
  type DifferentTest,
  type FailedRequest,
  type RunDifferences,
  type ScriptAsset,
  type ScriptRun,
  type ScriptStep,
  type ScriptTest,
  type SeenPage,
  type StepDifference,
  type TestName,
  WEB_VITAL_SCORES,
  WEB_VITALS,
  type WorsePage,
} from '@vedette/schema'
import { cleanErrorMessage } from './error-message.ts'

/** A step is slower when it took so many times as long, and so much longer: short ones vary a lot. */
export const SLOWER_TIMES = 2
export const SLOWER_MS = 1000

export function compareRuns(run: ScriptRun, other: ScriptRun): RunDifferences {
  const tests = pairs(run.tests.filter(isCounted), other.tests.filter(isCounted), (test) =>
    JSON.stringify([test.project, test.location.file, test.title]),
  )
  return {
    firstStep: firstOf(tests, ([mine, its]) => (mine && its ? firstStep(mine, its) : null)),
    tests: tests.flatMap(([mine, its]) => differentTest(mine, its)),
    consoleErrors: news(run.console.filter(isError), other.console.filter(isError), sayingOf),
    failedRequests: news(run.failedRequests, other.failedRequests, requestOf),
    pages: worsePages(run.pages, other.pages),
  }
}

const isCounted = (test: ScriptTest) => test.isLast
const isError = (message: ConsoleMessage) => message.level === 'error'
const sayingOf = ({ text }: ConsoleMessage) => cleaned(text)
const requestOf = ({ method, url, problem }: FailedRequest) => `${method} ${addressOf(url)} ${cleaned(problem)}`

/** Single digits too: as parts of messages they may say something, as parts of addresses and counts they do not. */
const cleaned = (text: string) => cleanErrorMessage(text).replace(/(?<![\w<])\d(?!\w)/g, '<number>')
const addressOf = (url: string) => cleaned(url.replace(/[?#].*$/s, ''))

function differentTest(mine: ScriptTest | undefined, its: ScriptTest | undefined): DifferentTest[] {
  const test = mine ?? its
  if (test === undefined || mine?.status === its?.status) return []
  return [{ ...nameOf(test), result: mine?.status ?? null, with: its?.status ?? null, error: mine?.errors[0] ?? null }]
}

const nameOf = ({ title, project, location: { file } }: ScriptTest): TestName => ({ title, project, file })

/** A step with those inside it. */
interface Branch {
  step: ScriptStep
  inside: Branch[]
}
type FoundStep = Omit<DifferentStep, 'test'>

function firstStep(mine: ScriptTest, its: ScriptTest): DifferentStep | null {
  const found = firstAmong(branches(mine.steps), branches(its.steps), [])
  return found && { ...found, test: nameOf(mine) }
}

/** Both go side by side until they part: what comes after that differs because of it. */
function firstAmong(mine: readonly Branch[], its: readonly Branch[], around: readonly string[]): FoundStep | null {
  for (let at = 0; at < Math.max(mine.length, its.length); at += 1) {
    const [a, b] = [mine[at], its[at]]
    if (a === undefined || b === undefined || !isSame(a, b)) {
      const isMissing = a === undefined || (b !== undefined && its.slice(at + 1).some((later) => isSame(a, later)))
      return isMissing ? found('MISSING', null, b, around) : found('ADDED', a, null, around)
    }
    const inside = isTried(a) ? null : firstAmong(a.inside, b.inside, [...around, a.step.title])
    const own = differenceOf(a.step, b.step)
    // What a step that broke off did not come to is no news.
    if (inside !== null && !(own === 'FAILED' && inside.difference === 'MISSING')) return inside
    if (own !== null) return found(own, a, b, around)
  }
  return null
}

function found(
  difference: StepDifference,
  mine: Branch | null | undefined,
  its: Branch | null | undefined,
  around: readonly string[],
): FoundStep {
  const title = (mine ?? its)?.step.title ?? ''
  return { difference, path: [...around, title], result: mine?.step ?? null, with: its?.step ?? null }
}

/** An expectation looks again until it holds: how often differs from run to run. */
const isTried = ({ step }: Branch) => step.category === 'expect'

const isSame = ({ step: a }: Branch, { step: b }: Branch) =>
  a.category === b.category && (a.title === b.title || cleaned(a.title) === cleaned(b.title))

function differenceOf(mine: ScriptStep, its: ScriptStep): StepDifference | null {
  if (isBroken(mine) !== isBroken(its)) return isBroken(mine) ? 'FAILED' : 'RECOVERED'
  if (mine.duration === null || its.duration === null) return null
  const isSlower = mine.duration >= SLOWER_TIMES * its.duration && mine.duration - its.duration >= SLOWER_MS
  return isSlower ? 'SLOWER' : null
}

const isBroken = ({ error, duration }: ScriptStep) => error !== null || duration === null

function branches(steps: readonly ScriptStep[]): Branch[] {
  const top: Branch[] = []
  const open: Branch[] = []
  for (const step of steps) {
    while ((open.at(-1)?.step.depth ?? -1) >= step.depth) open.pop()
    const branch = { step, inside: [] }
    ;(open.at(-1)?.inside ?? top).push(branch)
    open.push(branch)
  }
  return top
}

/** What the other run did not have, each once with how often, in the order of time. */
function news<T extends { time: number }>(
  mine: readonly T[],
  its: readonly T[],
  keyOf: (item: T) => string,
): (T & { times: number })[] {
  const known = new Set(its.map(keyOf))
  const seen = new Map<string, T & { times: number }>()
  for (const item of mine) {
    const key = keyOf(item)
    if (known.has(key)) continue
    const before = seen.get(key)
    seen.set(key, {
      ...(before === undefined || isBefore(item, before) ? item : before),
      times: (before?.times ?? 0) + 1,
    })
  }
  return [...seen.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1))
}

/** Of what was said at the same moment, any order will do that is always the same. */
const isBefore = <T extends { time: number }>(a: T, b: T) =>
  a.time === b.time ? JSON.stringify({ ...a, times: 0 }) < JSON.stringify({ ...b, times: 0 }) : a.time < b.time

function worsePages(mine: readonly SeenPage[], its: readonly SeenPage[]): WorsePage[] {
  const numbered = mine.map((page, pageIndex) => ({ ...page, pageIndex }))
  const others = its.map((page) => ({ ...page, pageIndex: -1 }))
  return pairs(numbered, others, ({ url }) => addressOf(url)).flatMap(([page, other]) => {
    if (page === undefined || other === undefined) return []
    const webVitals = WEB_VITALS.flatMap((name) => {
      const [result, before] = [page.webVitals[name], other.webVitals[name]]
      if (result === null || before === null) return []
      const isWorse = WEB_VITAL_SCORES.indexOf(result.score) > WEB_VITAL_SCORES.indexOf(before.score)
      return isWorse ? [{ name, result, with: before }] : []
    })
    return webVitals.length === 0 ? [] : [{ url: page.url, pageIndex: page.pageIndex, webVitals }]
  })
}

/** Those taken at the same place of the same test stand side by side: files are numbered anew in each run. */
export function pairScreenshots<A extends ScriptAsset>(mine: readonly A[], its: readonly A[]) {
  const shots = (assets: readonly A[]) => assets.filter(({ type }) => type === 'screenshot')
  return pairs(shots(mine), shots(its), ({ test, name }) => JSON.stringify([test, placeOf(name)])).map(
    ([result, other]) => ({ test: (result ?? other)?.test ?? null, result: result ?? null, with: other ?? null }),
  )
}

/** Playwright names the last picture of a test for how it ended. */
const placeOf = (name: string) => name.replace(/^\d+-/, '').replace(/^(.*-)?test-(?:failed|finished)-/, 'test-end-')

/** The nth of a key with the nth of the same key; those that the first list lacks come last. */
function pairs<T>(mine: readonly T[], its: readonly T[], keyOf: (item: T) => string): [T | undefined, T | undefined][] {
  const left = new Map<string, T[]>()
  for (const item of its) left.set(keyOf(item), [...(left.get(keyOf(item)) ?? []), item])
  const both = mine.map((item): [T, T | undefined] => [item, left.get(keyOf(item))?.shift()])
  const rest = new Set([...left.values()].flat())
  return [...both, ...its.filter((item) => rest.has(item)).map((item): [undefined, T] => [undefined, item])]
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
