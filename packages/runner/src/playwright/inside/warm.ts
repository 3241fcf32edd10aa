/**
 * Playwright's test runner in this process, loaded before there is a job, with its first worker in here too. It uses
 * insides that no version promises, so the versions that it knows are listed, and it looks before it trusts.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Compiled } from './compiled.ts'
import { installHooks } from './hooks.ts'
import { lazily } from './lazily.ts'
import type { PlaywrightInside, UtilitiesInside } from './playwright.ts'
import { endedBy, type Outcome, outcomeOf, type Run } from './run.ts'
import { passOn } from './said.ts'
import { say } from './say.ts'
import { type StandIn, standInForFirstWorker } from './stand-in.ts'
import { KNOWN_VERSIONS, playwrightIn } from './versions.ts'
import { watchWorkerStarts } from './worker-starts.ts'

const soon = setImmediate
const later = setTimeout
const start = setInterval
const stop = clearInterval
const TRANSLATOR = ['babelParse', 'babelTransform', 'declare', 'traverse']
const INTERRUPT_AGAIN_MS = 50
/** What is empty is looked for elsewhere. */
const NO_SOURCE = ' '
const CONFIG = join(import.meta.dirname, 'config.ts')

export interface Warm {
  inside: PlaywrightInside
  /** @param config the file that configures Playwright */
  run(run: Run, config?: string): Promise<Outcome>
}

/** Throws where what is installed does not fit. */
export function loadWarm(modules: string, compiled: Compiled, { isTemplate = false } = {}): Warm {
  const require = createRequire(join(modules, 'from-here.js'))
  const version = playwrightIn(modules)
  if (!KNOWN_VERSIONS.has(version)) throw new Error(`Playwright ${version} is not known to it`)
  // Translates TypeScript; a fifth of all the loading, and mostly a cache has what it would bring. A template loads it for all.
  const translator = join(modules, 'playwright', 'lib', 'transform', 'babelBundle.js')
  if (!isTemplate) lazily((path) => compiled.load(() => require(path)), require, translator, TRANSLATOR, ['types'])
  const inside = compiled.load((): PlaywrightInside => {
    const [common, runner] = [require('playwright/lib/common'), require('playwright/lib/runner')]
    require('@playwright/test')
    keepSourcesUnread(require('playwright-core/lib/utilsBundle'), modules)
    return { common, runner }
  })
  require.resolve(join(modules, 'playwright', 'lib', 'worker', 'workerProcessEntry.js'))
  const { common, runner } = inside
  const needed = {
    loadConfigFromFile: common.configLoader?.loadConfigFromFile,
    runAllTestsWithConfig: runner.testRunner?.runAllTestsWithConfig,
    dispatchEvent: common.ProcessRunner?.prototype?.dispatchEvent,
    requireOrImport: common.transform?.requireOrImport,
  }
  for (const [name, value] of Object.entries(needed))
    if (typeof value !== 'function') throw new Error(`Playwright ${version} has no ${name} where it should be`)
  return { inside, run: (run, config = CONFIG) => runWarm(inside, run, config, require, compiled) }
}

/**
 * For every stack of a step it would look for source maps in its own files, megabytes of them, where there are none: a
 * tenth of the time of a short run.
 */
function keepSourcesUnread({ sourceMapSupport }: UtilitiesInside, modules: string): void {
  const own = ['playwright', 'playwright-core', '@playwright'].map((name) => join(modules, name, '/'))
  const retrieveFile = (path: string) => (own.some((folder) => path.startsWith(folder)) ? NO_SOURCE : null)
  sourceMapSupport.install({ environment: 'node', handleUncaughtExceptions: false, retrieveFile })
}

async function runWarm(
  { common, runner }: PlaywrightInside,
  run: Run,
  configFile: string,
  require: NodeJS.Require,
  compiled: Compiled,
): Promise<Outcome> {
  // Loaded by ourselves, Playwright finds them as they are, and has nothing to translate.
  await Promise.all([import(configFile), import('./reporter.ts')])
  installHooks(require('playwright-core'), run.settings)
  let worker: StandIn | null = null
  const exited = Promise.withResolvers<Outcome>()
  standInForFirstWorker(common, compiled, (standIn) => {
    worker = standIn
  })
  Reflect.set(process, 'exit', (code?: number | string | null) => {
    const number = Number(code ?? process.exitCode ?? 0)
    if (worker !== null) worker.end(number)
    else {
      // The script is still being loaded: the command would be gone now.
      say(endedBy(number))
      exited.resolve({ status: 'failed', code: null })
      throw new Error('the process has ended')
    }
  })
  const broken = (error: unknown) => {
    if (worker?.isAlive) return
    if (worker === null) exited.reject(error)
  }
  process.on('uncaughtException', broken)
  process.on('unhandledRejection', broken)
  const interrupt = () => {
    const listeners = worker?.interrupters ?? process.listeners('SIGINT')
    // The runner has just begun, and does not listen yet.
    if (listeners.length === 0) later(interrupt, INTERRUPT_AGAIN_MS)
    for (const listener of listeners) listener.call(process, 'SIGINT')
  }
  run.interruption.addEventListener('abort', interrupt)
  if (run.interruption.aborted) return { status: 'interrupted', code: null }

  const stopPassing = passOn(run.settings.folder)
  const stopWatching = watchWorkerStarts((fault) => {
    say({ is: 'fault', fault })
    exited.resolve({ status: 'failed', code: null })
  })
  const config = await common.configLoader.loadConfigFromFile(configFile, {})
  const tests = Promise.withResolvers<Outcome>()
  // Neither called nor awaited from here as far as stacks can tell, for users see them.
  soon(() => {
    const status = runner.testRunner.runAllTestsWithConfig(config, {})
    status.then(
      (text) => void soon(() => tests.resolve({ status: outcomeOf(text), code: null })),
      (error: unknown) => void soon(() => tests.reject(error)),
    )
  })
  // A test may wait for what keeps no process alive: the command waits with it.
  const alive = start(() => {}, 60_000)
  const outcome = await Promise.race([exited.promise, tests.promise])
  stop(alive)
  stopWatching()
  stopPassing()
  return outcome
}
