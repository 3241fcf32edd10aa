/** A script without the test runner, as the main program of this process. Its end, or its exit code, is its result. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PlaywrightJob } from '../job.ts'
import { installHooks } from './hooks.ts'
import type { Outcome, Run } from './run.ts'
import { say } from './say.ts'
import { faultOfThrown } from './texts.ts'

const { now } = Date
/** What Node.js ends with where the top of a module waits for ever. */
const UNSETTLED = 13

export async function runProgram(job: Extract<PlaywrightJob, { is: 'program' }>, run: Run): Promise<Outcome> {
  const { folder, engine } = run.settings
  const require = createRequire(join(run.modules, 'from-here.js'))
  const { version }: { version: string } = require('playwright-core/package.json')
  installHooks(require('playwright-core'), run.settings)
  say({ is: 'begin', at: now(), engine, playwright: version, node: process.versions.node, tests: 0 })

  const entry = join(folder, job.entry)
  process.argv = [process.execPath, entry]
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let isOver = false
  const end = (outcome: Outcome) => {
    isOver = true
    resolve(outcome)
  }
  const endWith = (code: number) => end({ status: code === 0 ? 'passed' : 'failed', code })
  const fail = (error: unknown) => {
    // What comes after the end is the script being unwound.
    if (!isOver) say({ is: 'fault', fault: faultOfThrown(error) })
    if (!isOver) endWith(1)
  }
  Reflect.set(process, 'exit', (code?: number | string | null) => {
    endWith(Number(code ?? process.exitCode ?? 0))
    throw new Error('the process has ended')
  })
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  let isLoaded = false
  process.once('beforeExit', () => {
    if (isLoaded) return endWith(Number(process.exitCode ?? 0))
    say({ is: 'fault', fault: faultOfThrown(new Error('it waits for something that never comes')) })
    endWith(UNSETTLED)
  })
  run.interruption.addEventListener('abort', () => end({ status: 'interrupted', code: null }))
  load(require, run.modules, entry).then(() => {
    isLoaded = true
  }, fail)
  return promise
}

/** With Playwright's own way of reading TypeScript, wherever its version has it. */
async function load(require: NodeJS.Require, modules: string, entry: string): Promise<void> {
  for (const place of READERS) {
    const file = join(modules, place)
    if (!existsSync(file)) continue
    const { transform, ...whole }: { transform?: Partial<Reader> } & Partial<Reader> = require(file)
    const { requireOrImport, installTransform } = transform ?? whole
    if (requireOrImport) return void (await requireOrImport(entry))
    if (installTransform) installTransform()
  }
  require(entry)
}

/** The newest first. */
const READERS = [
  'playwright/lib/common/index.js',
  'playwright/lib/transform/transform.js',
  '@playwright/test/lib/common/transform.js',
  '@playwright/test/lib/transform.js',
]

interface Reader {
  requireOrImport(file: string): Promise<unknown>
  /** All that 1.28 has. */
  installTransform(): void
}
