/** A script without the test runner, as the main program of this process. Its end, or its exit code, is its result. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PlaywrightJob } from '../job.ts'
import { installHooks } from './hooks.ts'
import type { PlaywrightInside } from './playwright.ts'
import { type Outcome, outcomeOf, type Run } from './run.ts'
import { say } from './say.ts'
import { faultOfThrown } from './texts.ts'

const { now } = Date

export async function runProgram(job: Extract<PlaywrightJob, { is: 'program' }>, run: Run): Promise<Outcome> {
  const { folder, engine } = run.settings
  const require = createRequire(join(run.modules, 'from-here.js'))
  const { version }: { version: string } = require('playwright-core/package.json')
  installHooks(require('playwright-core'), run.settings)
  say({ is: 'begin', at: now(), engine, playwright: version, node: process.versions.node, tests: 0 })

  const entry = join(folder, job.entry)
  process.argv = [process.execPath, entry]
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const endWith = (code: number) => resolve({ status: code === 0 ? 'passed' : 'failed', code })
  const fail = (error: unknown) => {
    say({ is: 'fault', fault: faultOfThrown(error) })
    endWith(1)
  }
  Reflect.set(process, 'exit', (code?: number | string | null) => {
    endWith(Number(code ?? process.exitCode ?? 0))
    // Nothing after it is run.
    throw new Error('the process has ended')
  })
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  process.once('beforeExit', () => endWith(Number(process.exitCode ?? 0)))
  run.interruption.addEventListener('abort', () => resolve({ status: outcomeOf('interrupted'), code: null }))
  load(require, entry).catch(fail)
  return promise
}

/** With Playwright's own way of reading TypeScript. */
async function load(require: NodeJS.Require, entry: string): Promise<void> {
  const { transform }: PlaywrightInside['common'] = require('playwright/lib/common')
  await transform.requireOrImport(entry)
}
