/** The steps of a test as a tree, from the list in which each says how deep it is. */
import type { ScriptError, ScriptStep, ScriptTest } from '@vedette/schema'

export interface StepNode {
  step: ScriptStep
  children: StepNode[]
  /** Whether it failed, or one within it. */
  isTroubled: boolean
  /** Its error, unless a step within it tells the same. */
  tells: ScriptError | null
}

export function stepTree(steps: readonly ScriptStep[]): StepNode[] {
  const roots: StepNode[] = []
  const path: StepNode[] = []
  for (const step of steps) {
    while ((path.at(-1)?.step.depth ?? -1) >= step.depth) path.pop()
    const node: StepNode = { step, children: [], isTroubled: false, tells: step.error }
    const parent = path.at(-1)
    ;(parent?.children ?? roots).push(node)
    path.push(node)
    if (step.error === null) continue
    for (const one of path) {
      one.isTroubled = true
      if (one !== node && one.tells?.message === step.error.message) one.tells = null
    }
  }
  return roots
}

/** Of a long list what is shown at once, and what lies folded between. */
export type Shown<One> = { item: One; index: number } | { from: number; to: number }

/** The first ones, and whoever must be seen; all others lie in gaps, until they are opened one by one. */
export function withGaps<One>(
  items: readonly One[],
  { most, mustShow, opened }: { most: number; mustShow: (item: One) => boolean; opened: ReadonlySet<number> },
): Shown<One>[] {
  const shown: Shown<One>[] = []
  for (const [index, item] of items.entries()) {
    const last = shown.at(-1)
    if (index < most || opened.has(index) || mustShow(item)) shown.push({ item, index })
    else if (last !== undefined && 'to' in last) last.to = index + 1
    else shown.push({ from: index, to: index + 1 })
  }
  return shown
}

export interface Axis {
  start: number
  duration: number
}

/** The axis of a test. What is set up for several tests counts in the duration of none, but has steps. */
export function axisOf({ start, duration, steps }: Pick<ScriptTest, 'start' | 'duration' | 'steps'>): Axis {
  const ends = steps.map((step) => step.start + (step.duration ?? 0))
  const from = steps.reduce((first, step) => Math.min(first, step.start), start)
  return { start: from, duration: ends.reduce((last, end) => Math.max(last, end), start + duration) - from }
}

/** Where a bar begins and how long it is, in hundredths of the axis. */
export interface Place {
  left: number
  width: number
}

/** What did not come to its end lasts until the test ended. */
export function placeOf({ start, duration }: ScriptStep, axis: Axis): Place {
  const whole = Math.max(axis.duration, 0.001)
  const left = within((start - axis.start) / whole)
  const end = duration === null ? 1 : within((start + duration - axis.start) / whole)
  return { left: left * 100, width: Math.max(end - left, 0) * 100 }
}

const within = (share: number): number => Math.min(Math.max(share, 0), 1)

/** A test with all its tries, the first one first. */
export interface TestTries {
  key: string
  tries: ScriptTest[]
  last: ScriptTest
}

export function triesOf(tests: readonly ScriptTest[]): TestTries[] {
  const byTest = new Map<string, ScriptTest[]>()
  for (const test of tests) {
    const { project, location, title } = test
    const key = JSON.stringify([project, location.file, location.line, location.column, title])
    byTest.set(key, [...(byTest.get(key) ?? []), test])
  }
  return [...byTest].flatMap(([key, all]) => {
    const tries = all.toSorted((a, b) => a.retry - b.retry)
    const last = tries.at(-1)
    return last === undefined ? [] : [{ key, tries, last }]
  })
}

/** The tests of one file in one project. */
export interface TestSource {
  file: string
  project: string
  tests: TestTries[]
}

/** In the order in which they came. */
export function bySource(tests: readonly TestTries[]): TestSource[] {
  const sources = new Map<string, TestSource>()
  for (const test of tests) {
    const { project, location } = test.last
    const key = JSON.stringify([project, location.file])
    const source = sources.get(key) ?? { file: location.file, project, tests: [] }
    source.tests.push(test)
    sources.set(key, source)
  }
  return [...sources.values()]
}

/** It passed, and not at once. */
export const isFlaky = ({ tries, last }: TestTries): boolean => tries.length > 1 && !isUnwanted(last)

export const isUnwanted = ({ status, expected }: Pick<ScriptTest, 'status' | 'expected'>): boolean =>
  status !== 'skipped' && status !== expected

/** What went wrong beside its steps. */
export const errorsBesideSteps = ({ errors, steps }: ScriptTest) => {
  const told = new Set(steps.flatMap(({ error }) => (error === null ? [] : [error.message])))
  return errors.filter(({ message }) => !told.has(message))
}
