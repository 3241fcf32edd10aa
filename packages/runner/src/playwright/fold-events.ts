/** From what a run said while it went on to what is kept of it. Pure; bounded, whatever is said. */
import { stripVTControlCharacters } from 'node:util'
import {
  type ConsoleMessage,
  SCRIPT_ASSET_TYPES,
  type ScriptEngine,
  type ScriptError,
  type ScriptFile,
  type ScriptRun,
  type ScriptStep,
  type ScriptTest,
  type SeenPage,
  scoreOf,
  type WebVital,
} from '@vedette/schema'
import type { ScriptEvent, ScriptFault } from './event.ts'

const MOST = {
  ...{ tests: 500, steps: 3000, errors: 100, pages: 100, console: 500, failedRequests: 500, log: 1000, files: 200 },
  fileBytes: 64 * 1024 * 1024,
  /** Characters of what counts, and of all that is said beside it, which must not crowd it out. */
  essentials: 2 * 1024 * 1024,
  remarks: 6 * 1024 * 1024,
  sinceMs: 86_400_000,
}
const CONTENT_TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*(?:; ?charset=[a-z0-9-]+)?$/i
const CACHE_PATH = /^\.cache\/playwright(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/

export interface RunnerFacts {
  runtimeId: string
  engine: ScriptEngine
  browser: string | null
}

interface OpenTest extends ScriptTest {
  steps: OpenStep[]
}
interface OpenStep extends ScriptStep {
  id: string
  parent: string | null
}
interface OpenFile extends Omit<ScriptFile, 'content' | 'type'> {
  /** Null: no asset, but something that makes the next run of the same script cheaper. */
  type: ScriptFile['type'] | null
  /** As the process named it. */
  path: string
  pieces: Buffer[]
  received: number
}

export interface FoldedRun {
  run: ScriptRun
  files: ScriptFile[]
  /** What to bring along to the next run of the same script, by path. */
  cache: ReadonlyMap<string, Buffer>
}

type FoldLeft = Record<'essentials' | 'remarks', number>

/** A run before anything is known of it. */
export function nothingSeen({ runtimeId, engine, browser }: RunnerFacts, startedAtMs: number): ScriptRun {
  return {
    status: 'interrupted',
    startTime: startedAtMs,
    endTime: startedAtMs,
    runtime: { id: runtimeId, node: '', playwright: '', browser, engine },
    errors: [],
    tests: [],
    pages: [],
    console: [],
    failedRequests: [],
    traceSummary: { consoleErrors: 0, networkErrors: 0, documentErrors: 0, userScriptErrors: 0 },
    degraded: null,
    jobLog: [],
    assets: [],
    leftOut: false,
  }
}

export class RunFold {
  readonly #startedAtMs: number
  readonly #tests = new Map<string, OpenTest>()
  readonly #steps = new Map<string, OpenStep>()
  readonly #files = new Map<number, OpenFile>()
  readonly #run: ScriptRun
  readonly #left: FoldLeft = { essentials: MOST.essentials, remarks: MOST.remarks }
  #fileBytes = 0
  #end: Extract<ScriptEvent, { is: 'end' }> | null = null

  /** @param startedAtMs milliseconds since 1970 */
  constructor(facts: RunnerFacts, startedAtMs: number) {
    this.#startedAtMs = startedAtMs
    this.#run = nothingSeen(facts, startedAtMs)
  }

  get end(): Extract<ScriptEvent, { is: 'end' }> | null {
    return this.#end
  }

  hear(event: ScriptEvent): void {
    if (this.#end !== null) return
    const run = this.#run
    switch (event.is) {
      case 'ready':
        break
      case 'begin':
        run.runtime = { ...run.runtime, node: event.node, playwright: event.playwright, engine: event.engine }
        break
      case 'test':
        this.#beginTest(event)
        break
      case 'test-end':
        this.#endTest(event)
        break
      case 'step':
        this.#beginStep(event)
        break
      case 'step-end':
        this.#endStep(event)
        break
      case 'fault':
        this.#add(run.errors, errorOf(event.fault), MOST.errors, 'essentials')
        break
      case 'output':
        for (const line of plain(event.text).split('\n')) {
          const level = event.stream === 'out' ? 'INFO' : 'ERROR'
          if (line.trim() !== '') this.#add(run.jobLog, { time: event.at, msg: line, level }, MOST.log)
        }
        break
      case 'console':
        if (event.level === 'error') run.traceSummary.consoleErrors += 1
        this.#note(event.at, event.level, event.text, event.url)
        break
      case 'page-fault':
        run.traceSummary.userScriptErrors += 1
        this.#note(event.at, 'error', event.message, event.url)
        break
      case 'request-failed': {
        run.traceSummary[event.isDocument ? 'documentErrors' : 'networkErrors'] += 1
        const { at: time, method, url, problem, isDocument } = event
        this.#add(run.failedRequests, { time, method, url, problem, isDocument }, MOST.failedRequests)
        break
      }
      case 'page':
        this.#add(run.pages, pageOf(event), MOST.pages)
        break
      case 'degraded':
        run.degraded ??= plain(event.reason).trim() || 'the script says so'
        break
      case 'file':
        this.#beginFile(event)
        break
      case 'data':
        this.#addData(event)
        break
      case 'end':
        this.#end = event
        run.status = event.status
        run.leftOut ||= event.filesLeftOut > 0
    }
  }

  /** What is known by now. @param endedAtMs milliseconds since 1970 */
  finish(endedAtMs: number): FoldedRun {
    const tests = [...this.#tests.values()].map(({ steps, ...test }) => ({ ...test, steps: inOrder(steps) }))
    const failures = tests.filter(
      ({ isLast, status, expected }) => isLast && status !== 'skipped' && status !== expected,
    )
    const errors = [...failures.flatMap((test) => test.errors), ...this.#run.errors].slice(0, MOST.errors)
    const files: ScriptFile[] = []
    const cache = new Map<string, Buffer>()
    for (const { pieces, received, type, path, ...file } of this.#files.values()) {
      if (received !== file.size) this.#run.leftOut ||= type !== null
      else if (type === null) cache.set(path, Buffer.concat(pieces))
      else files.push({ ...file, type, content: Buffer.concat(pieces) })
    }
    const assets = files.map(({ content: _, ...asset }) => asset)
    const endTime = Math.max(endedAtMs, this.#startedAtMs)
    return { run: { ...this.#run, tests, errors, assets, endTime }, files, cache }
  }

  #beginTest({ id, retry, titles, project, location, at }: Extract<ScriptEvent, { is: 'test' }>): void {
    if (this.#tests.size >= MOST.tests || !this.#takes(titles, 'essentials')) {
      this.#run.leftOut = true
      return
    }
    const key = `${id} ${retry}`
    if (this.#tests.has(key)) return
    this.#tests.set(key, {
      title: titles.map(plain),
      project: plain(project),
      location,
      retry,
      isLast: true,
      status: 'interrupted',
      expected: 'passed',
      start: this.#since(at),
      duration: 0,
      errors: [],
      annotations: [],
      steps: [],
    })
  }

  #endTest(event: Extract<ScriptEvent, { is: 'test-end' }>): void {
    const test = this.#tests.get(`${event.id} ${event.retry}`)
    if (test === undefined) return
    test.status = event.status
    test.expected = event.expected
    test.isLast = event.isLast
    test.duration = event.durationMs
    test.errors = event.faults.map(errorOf).filter((error) => this.#takes(error, 'essentials'))
    test.annotations = event.annotations
      .map(({ type, description }) => ({ type: plain(type), description: plain(description) }))
      .filter((annotation) => this.#takes(annotation, 'remarks'))
  }

  #beginStep({ id, test, retry, parent, category, title, location, at }: Extract<ScriptEvent, { is: 'step' }>): void {
    const owner = this.#tests.get(`${test} ${retry}`)
    if (this.#steps.has(id)) return
    if (owner === undefined || this.#steps.size >= MOST.steps || !this.#takes(title, 'remarks')) {
      this.#run.leftOut = true
      return
    }
    // Only what began before, in the same test, can be around it.
    const around = parent === null ? undefined : this.#steps.get(parent)
    const outer = around !== undefined && owner.steps.includes(around) ? around : null
    const step: OpenStep = {
      id,
      parent: outer?.id ?? null,
      title: plain(title),
      category: plain(category),
      depth: outer === null ? 0 : outer.depth + 1,
      start: this.#since(at),
      duration: null,
      error: null,
      location,
    }
    this.#steps.set(id, step)
    owner.steps.push(step)
  }

  #endStep({ id, durationMs, fault }: Extract<ScriptEvent, { is: 'step-end' }>): void {
    const step = this.#steps.get(id)
    if (step === undefined) return
    step.duration = durationMs
    step.error = fault !== null && this.#takes(fault, 'remarks') ? errorOf(fault) : null
  }

  #note(time: number, level: ConsoleMessage['level'], text: string, url: string): void {
    this.#add(this.#run.console, { time, level, text: plain(text), url }, MOST.console)
  }

  #beginFile({ no, role, name, contentType, bytes, test, retry }: Extract<ScriptEvent, { is: 'file' }>): void {
    const isTooMuch = this.#files.size >= MOST.files || this.#fileBytes + bytes > MOST.fileBytes
    if (isTooMuch || this.#files.has(no) || (role === 'cache' && !CACHE_PATH.test(name))) {
      this.#run.leftOut ||= role !== 'cache'
      return
    }
    this.#fileBytes += bytes
    const type = SCRIPT_ASSET_TYPES.find((type) => type === role) ?? null
    const owner = test === null ? undefined : this.#tests.get(`${test} ${retry}`)
    const title = owner?.title.join(' › ') ?? null
    const safeType = CONTENT_TYPE.test(contentType) ? contentType.toLowerCase() : 'application/octet-stream'
    const told = { name: assetName(no, name), path: name, contentType: safeType, size: bytes, test: title }
    this.#files.set(no, { type, ...told, pieces: [], received: 0 })
  }

  #addData({ no, base64 }: Extract<ScriptEvent, { is: 'data' }>): void {
    const file = this.#files.get(no)
    if (file === undefined) return
    const piece = Buffer.from(base64, 'base64')
    file.received += piece.length
    if (file.received <= file.size) file.pieces.push(piece)
  }

  #since(at: number): number {
    return Math.min(MOST.sinceMs, Math.max(0, Math.round(at - this.#startedAtMs)))
  }

  #add<T>(list: T[], item: T, most: number, kind: keyof FoldLeft = 'remarks'): void {
    if (list.length < most && this.#takes(item, kind)) list.push(item)
    else this.#run.leftOut = true
  }

  /** Whether there is room for all its characters. */
  #takes(value: unknown, kind: keyof FoldLeft): boolean {
    const length = lengthOf(value)
    if (length > this.#left[kind]) {
      this.#run.leftOut = true
      return false
    }
    this.#left[kind] -= length
    return true
  }
}

/** Each step after the one it is in, in the order in which they began. */
function inOrder(steps: readonly OpenStep[]): ScriptStep[] {
  const children = Map.groupBy(steps, ({ parent }) => parent)
  const known = new Set(steps.map(({ id }) => id))
  const ordered: ScriptStep[] = []
  const visit = (step: OpenStep) => {
    const { id, parent: _, ...rest } = step
    ordered.push(rest)
    for (const child of children.get(id) ?? []) visit(child)
  }
  for (const step of steps) if (step.parent === null || !known.has(step.parent)) visit(step)
  return ordered
}

function pageOf({ url, vitals, timings }: Extract<ScriptEvent, { is: 'page' }>): SeenPage {
  const vital = (name: WebVital) => {
    const value = vitals[name]
    return value === null ? null : { score: scoreOf(name, value), value }
  }
  const webVitals = {
    TTFB: vital('TTFB'),
    FCP: vital('FCP'),
    LCP: vital('LCP'),
    CLS: vital('CLS'),
    TBT: vital('TBT'),
  }
  return { url, webVitals, pageTimings: timings }
}

const plain = (text: string) => stripVTControlCharacters(text)

const errorOf = ({ message, stack, snippet, location }: ScriptFault): ScriptError => ({
  message: plain(message),
  stack: stack && plain(stack),
  snippet: snippet && plain(snippet),
  location,
})

/** Unlike any other of the run, and one that may stand in an address. */
function assetName(no: number, name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return `${no}-${safe === '' ? 'file' : safe.slice(-150)}`
}

/** Of all texts in it. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum, part) => sum + lengthOf(part), 0)
}
