/**
 * Tells what happens as Playwright's reporters are told of it, while it happens: lines are written at once, so that what
 * a script did before it hung is known. Uses the public interface alone. Nothing thrown in here may fail a run.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptEvent } from '../event.ts'
import { type LedgerLine, noteInLedger } from './files.ts'
import { tellOutput } from './output.ts'
import type { ReportedResult, ReportedStep, ReportedSuite, ReportedTest } from './playwright.ts'
import { say, sayOut } from './say.ts'
import { placesIn, readSettings } from './settings.ts'
import { clip, faultOf, placeOf, plain, type ReportedError } from './texts.ts'

const { now } = Date
const STEPS_LIMIT = 20_000

export default class Reporter {
  readonly #settings = readSettings()
  readonly #places = placesIn(this.#settings.folder)
  readonly #steps = new WeakMap<ReportedStep, string>()
  #stepCount = 0
  #bodies = 0
  #version = ''

  constructor() {
    sayOut()
  }

  /** We print nothing, but if we said so Playwright would add a reporter that prints. */
  printsToStdio(): boolean {
    return true
  }

  onBegin(...args: unknown[]): void {
    this.#safely(() => {
      // Before 1.35 the configuration came first with the suite, and has come so since.
      const [config, suite] = args as [{ version?: string }, ReportedSuite]
      this.#version = config.version ?? ''
      this.#tell({
        is: 'begin',
        at: now(),
        engine: this.#settings.engine,
        playwright: clip(this.#version, 50),
        node: process.versions.node,
        tests: suite.allTests().length,
      })
    })
  }

  onTestBegin(test: ReportedTest, result: ReportedResult): void {
    this.#safely(() => {
      const [, project = '', , ...titles] = test.titlePath()
      this.#tell({
        is: 'test',
        id: clip(test.id, 200),
        retry: result.retry,
        titles: titles.slice(0, 50).map((title) => clip(title, 1000)),
        project: clip(project, 200),
        location: placeOf(test.location, this.#settings.folder) ?? { file: '', line: 0, column: 0 },
        at: result.startTime.getTime(),
      })
    })
  }

  onStepBegin(test: ReportedTest, result: ReportedResult, step: ReportedStep): void {
    this.#safely(() => {
      this.#stepCount += 1
      if (this.#stepCount > STEPS_LIMIT) return
      const id = `s${this.#stepCount}`
      this.#steps.set(step, id)
      this.#tell({
        is: 'step',
        id,
        test: clip(test.id, 200),
        retry: result.retry,
        parent: (step.parent && this.#steps.get(step.parent)) ?? null,
        category: clip(step.category, 50),
        title: plain(step.title, 2000),
        location: placeOf(step.location, this.#settings.folder),
        at: step.startTime.getTime(),
      })
    })
  }

  onStepEnd(_test: ReportedTest, _result: ReportedResult, step: ReportedStep): void {
    this.#safely(() => {
      const id = this.#steps.get(step)
      if (id === undefined) return
      const fault = step.error ? faultOf(step.error, this.#settings.folder) : null
      this.#tell({ is: 'step-end', id, durationMs: length(step.duration), fault })
    })
  }

  onTestEnd(test: ReportedTest, result: ReportedResult): void {
    this.#safely(() => {
      const expected = test.expectedStatus
      const isLast =
        result.status === expected || ['skipped', 'interrupted'].includes(result.status) || result.retry >= test.retries
      const annotations = (result.annotations ?? test.annotations).map(({ type, description }) => ({
        type: plain(type, 200),
        description: plain(description ?? '', 2000),
      }))
      for (const { type, description } of annotations) {
        if (type === 'degraded' && isLast) this.#tell({ is: 'degraded', reason: description })
      }
      for (const attachment of result.attachments) {
        this.#safely(() => this.#take(attachment, test, result))
      }
      this.#tell({
        is: 'test-end',
        id: clip(test.id, 200),
        retry: result.retry,
        status: result.status,
        expected,
        isLast,
        durationMs: length(result.duration),
        faults: result.errors.slice(0, 50).map((error) => faultOf(error, this.#settings.folder)),
        annotations: annotations.slice(0, 50),
      })
    })
  }

  onStdOut(chunk: string | Uint8Array): void {
    this.#output('out', chunk)
  }

  onStdErr(chunk: string | Uint8Array): void {
    this.#output('err', chunk)
  }

  onError(error: ReportedError): void {
    this.#safely(() => this.#tell({ is: 'fault', fault: faultOf(error, this.#settings.folder) }))
  }

  onEnd(result: { status?: string }): void {
    this.#safely(() => this.#note({ is: 'result', status: result.status ?? 'failed' }))
  }

  #output(stream: 'out' | 'err', chunk: string | Uint8Array): void {
    this.#safely(() => tellOutput(stream, chunk))
  }

  /** Files are told of at the end: the trace of a test is not whole before. */
  #take(attachment: ReportedResult['attachments'][number], test: ReportedTest, result: ReportedResult): void {
    const { name, contentType, body } = attachment
    let path = attachment.path
    if (path === undefined && body) {
      mkdirSync(this.#places.bodies, { recursive: true })
      this.#bodies += 1
      path = join(this.#places.bodies, String(this.#bodies))
      writeFileSync(path, body)
    }
    if (path !== undefined)
      this.#note({
        is: 'file',
        name,
        contentType,
        path,
        isBody: body !== undefined,
        test: test.id,
        retry: result.retry,
      })
  }

  #note(line: LedgerLine): void {
    noteInLedger(this.#settings.folder, line)
  }

  #tell(line: ScriptEvent): void {
    say(line)
  }

  #safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      try {
        say({ is: 'output', stream: 'err', text: `The reporter failed: ${error}`.slice(0, 1000), at: now() })
      } catch {
        // Nobody listens any more.
      }
    }
  }
}

const length = (ms: number) => Math.min(Math.max(ms, 0), 86_400_000) || 0
