/** Runs that are forked: which may be, from which template, and how a template is made and tried. */
import type { RuntimeId } from '@vedette/schema'
import type { Log } from '../log.ts'
import type { PlaywrightJob } from './job.ts'
import type { Machine } from './machine.ts'
import { kindOf, type PreparedRun, perform, type WantedRun } from './prepared-run.ts'
import type { RunProcesses } from './run-processes.ts'
import { canForkHere } from './runtimes.ts'
import { TemplateProcess } from './template-process.ts'
import { Templates } from './templates.ts'

export interface ForkingOptions {
  log: Log
  machine: Machine
  processes: RunProcesses
}

export class Forking {
  readonly #options: ForkingOptions
  readonly #templates: Templates<WantedRun, TemplateProcess>
  readonly #untried = new Set<TemplateProcess>()
  /** Of which there was a template that did what it must. */
  readonly #forked = new Set<RuntimeId>()
  #isClosed = false

  constructor(options: ForkingOptions) {
    this.#options = options
    const make = (wanted: WantedRun) => this.#makeTemplate(wanted)
    this.#templates = new Templates({ log: options.log, keyOf: kindOf, make })
  }

  /** Whether runs of it are forked: from the first template on, until that is given up. */
  isDoneFor(runtimeId: RuntimeId): boolean {
    return this.#forked.has(runtimeId) && !this.#templates.isGivenUp
  }

  /** Whether there is a template for it; one is made where there may be one. */
  has(wanted: WantedRun): boolean {
    return this.#canFork(wanted) && this.#templates.has(wanted)
  }

  /** Resolves when there is one, or is not going to be one: whether there is. */
  async made(wanted: WantedRun): Promise<boolean> {
    if (this.#canFork(wanted)) await this.#templates.made(wanted)
    return this.has(wanted)
  }

  /** Null: not now, or not at all. */
  async fork(wanted: WantedRun): Promise<PreparedRun | null> {
    const lent = this.#canFork(wanted) ? this.#templates.lend(wanted) : null
    if (lent === null) return null
    try {
      const prepared = await this.#options.processes.fork(lent.template, wanted, lent.giveBack)
      try {
        await prepared.process.ready()
        return prepared
      } catch (error) {
        lent.giveBack(true)
        await prepared.close()
        throw error
      }
    } catch (error) {
      lent.giveBack(true)
      const reason = error instanceof Error ? error.message : error
      if (!this.#isClosed) this.#options.log('WARN', `a process for a script could not be forked: ${reason}`)
      return null
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const template of this.#untried) template.kill()
    await this.#templates.close()
  }

  /** Only for what is known to bear it; until a template has been made, and tried, runs are started as ever. */
  #canFork(wanted: WantedRun): boolean {
    return this.#options.machine.engineOf(wanted) === 'warm' && canForkHere()
  }

  /** @throws Error with why there can be none */
  async #makeTemplate(wanted: WantedRun): Promise<TemplateProcess> {
    const { machine, processes } = this.#options
    const { modules, way, browsers } = await machine.partsFor(wanted)
    const nests = await machine.canNest(way, { engine: 'forked', modules, browsers, bundle: null, compiled: null })
    const place = { modules, browsers, nests }
    const template = await TemplateProcess.start({ way, place, limits: processes.limitsFor(wanted) })
    this.#untried.add(template)
    try {
      if (this.#isClosed) throw new Error('this runner is ending')
      await template.ready()
      await this.#try(template, wanted)
      this.#forked.add(wanted.runtimeId)
      return template
    } catch (error) {
      template.kill()
      await template.ended
      throw error
    } finally {
      this.#untried.delete(template)
    }
  }

  /** A small run that uses most of it. @throws Error when it does not end as it must */
  async #try(template: TemplateProcess, wanted: WantedRun): Promise<void> {
    let hasCrashed = false
    const prepared = await this.#options.processes.fork(template, wanted, (value) => {
      hasCrashed = value
    })
    const end = await perform(prepared, trialOf(wanted))
    const found = end.run.tests.map(({ title, status }) => `${title.at(-1)}: ${status}`).join()
    const why = end.problem?.text ?? end.run.errors[0]?.message ?? found
    if (hasCrashed || end.problem !== null || found !== 'all is there: passed')
      throw new Error(`a process that was forked did not do what it must: ${why}`)
  }
}

/** What a run needs that its process could lack: expectations that fail, requests, translated code, random numbers, a browser. */
function trialOf({ hasPages }: WantedRun): PlaywrightJob {
  const onPage = `await page.setContent('<p>there</p>'); await expect(page.locator('p')).toHaveText('there')`
  const content = `import { test, expect } from '@playwright/test'
test('all is there', async ({ ${hasPages ? 'page' : 'request'} }) => {
  expect(() => expect(1 as number).toBe(2)).toThrow(/Expected: 2/)
  await test.step('waits', () => new Promise((resolve) => setTimeout(resolve, 1)))
  expect(Math.random()).not.toBe(Math.random())
  ${hasPages ? onPage : 'expect(request).toBeTruthy()'}
})`
  const files = [{ path: 'trial.spec.ts', content, encoding: 'utf8' }] as const
  const recording = { trace: 'off', video: 'off', screenshot: 'off' } as const
  return { is: 'test', entry: 'trial.spec.ts', files, variables: {}, limitMs: 60_000, recording }
}
