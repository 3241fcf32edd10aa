/**
 * The process in which one script of Playwright runs:
 *
 *     node main.ts <engine> <folder> <node_modules> [<browsers> [<way out> [<chromium sandbox> [<compiled> [<keeps>]]]]]
 *
 * `engine` is `warm`, `plain`, or `forked`: then this is the template, and each run goes on in a copy of it (`template.ts`);
 * `folder` is empty, and the job's to write in; `node_modules` are those of the runtime; `browsers` is the folder for
 * PLAYWRIGHT_BROWSERS_PATH; `way out` the unix socket of a proxy through which alone anything
 * is reached; `chromium sandbox` is `on` where the browser is to use its own; `compiled` is the folder with code that was
 * compiled before, which is also that of NODE_COMPILE_CACHE; `keeps` is `on` where code is to be kept there when the run
 * is over. What is empty is not there.
 *
 * The job comes on descriptor 3, and what happens goes out on descriptor 4, a line of JSON each. Whatever the script
 * breaks in here it breaks for itself: outside nothing is believed that is not checked.
 */
import { flushCompileCache } from 'node:module'
import type { ScriptEngine as Engine } from '@vedette/schema'
import type { PlaywrightJob } from '../job.ts'
import { compiledHere, compiledIn } from './compiled.ts'
import { Control } from './control.ts'
import { findCache, findFiles, tellFiles } from './files.ts'
import { tellOpenPages } from './hooks.ts'
import { tellOutput, tellOwnOutput } from './output.ts'
import { runPlain } from './plain.ts'
import { prime } from './prime.ts'
import { runProgram } from './program.ts'
import type { Outcome, Run } from './run.ts'
import { say } from './say.ts'
import { placesIn, SETTINGS_VARIABLE, type Settings } from './settings.ts'
import { faultOfThrown } from './texts.ts'
import { playwrightIn } from './versions.ts'
import { loadWarm, type Warm } from './warm.ts'
import { openTheWayOut } from './way-out.ts'
import { furnish, placeBelow, writeFiles } from './workspace.ts'

const [, , engineName = 'plain', folder = '', modules = '', browsers = '', wayOut = '', chromiumSandbox = ''] =
  process.argv
const [compiledFolder = '', keeps = ''] = process.argv.slice(8)
const exit: (code: number) => never = process.exit.bind(process)
const now = performance.now.bind(performance)
const places = placesIn(folder)

/** Of no signal, as those of crashes are. */
const ABORTED = 1

const PRELOAD = new URL('preload.ts', import.meta.url).href

/** Of the environment that we were started with nothing is left but where programs are. */
const BASE: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: folder,
  TMPDIR: process.env.TMPDIR ?? '/tmp',
  LANG: 'C.UTF-8',
  PWTEST_CACHE_DIR: places.cache,
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  ...(browsers !== '' && { PLAYWRIGHT_BROWSERS_PATH: browsers }),
}

function setEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const [name, value] of Object.entries({ ...variables, ...BASE })) {
    // A name that the system does not take cannot be set.
    if (name !== '' && !name.includes('=') && !name.includes('\0') && !value.includes('\0')) process.env[name] = value
  }
}

process.chdir(folder)
setEnvironment({})
const compiled =
  engineName === 'forked'
    ? compiledHere(modules)
    : compiledIn(compiledFolder === '' ? null : compiledFolder, modules, keeps === 'on')
let warm: Warm | null = null
let remark: string | null = null
if (engineName !== 'plain') {
  try {
    warm = loadWarm(modules, compiled, { isTemplate: engineName === 'forked' })
  } catch (error) {
    // Then the plain engine does it, and the run says so.
    remark = `The engine "plain" is used: ${error instanceof Error ? error.message : error}`
  }
}
if (engineName === 'forked') {
  if (warm === null) throw new Error(remark ?? 'nothing is loaded')
  const { forkForARun, primerHere } = await import('./template.ts')
  const given = {
    engine: engineName,
    version: playwrightIn(modules),
    chromiumSandbox: chromiumSandbox === 'on',
  } as const
  const temporary = process.env.TMPDIR ?? '/tmp'
  await prime(warm, primerHere(), { ...given, modules, temporary })
  warm = loadWarm(modules, compiled, { isTemplate: true })
  await forkForARun()
}
const control = new Control()
say({ is: 'ready' })
const job = await control.job()
const began = now()

let filesLeftOut = 0
let outcome: Outcome
try {
  outcome = await perform(job)
} catch (error) {
  say({ is: 'fault', fault: faultOfThrown(error) })
  outcome = { status: 'failed', code: null }
}
if (keeps === 'on') {
  compiled.keep()
  // Not left to our end: we are killed.
  flushCompileCache()
}
say({ is: 'end', ...outcome, durationMs: now() - began, filesLeftOut })
exit(0)

async function perform(job: PlaywrightJob): Promise<Outcome> {
  setEnvironment(job.variables)
  // Whoever asks for it ends the process; it is no crash.
  Reflect.set(process, 'abort', () => process.exit(ABORTED))
  const engine: Engine = warm === null || job.is === 'suite' ? 'plain' : engineName === 'forked' ? 'forked' : 'warm'
  const before = writeFiles(folder, job.files)
  const settings: Settings = {
    engine,
    folder,
    entry: job.is === 'test' ? job.entry : null,
    recording: job.is === 'program' ? { trace: 'off', video: 'off', screenshot: 'off' } : job.recording,
    version: playwrightIn(modules),
    proxy: wayOut === '' ? null : await openTheWayOut(wayOut),
    chromiumSandbox: chromiumSandbox === 'on',
  }
  furnish(settings)
  process.env[SETTINGS_VARIABLE] = places.settings
  // Every further process watches its pages too.
  process.env.NODE_OPTIONS = `${job.variables.NODE_OPTIONS ?? ''} --import=${PRELOAD}`.trim()
  tellOwnOutput()
  const run: Run = { settings, modules, interruption: control.interruption, before }
  if (remark !== null) say({ is: 'output', stream: 'err', text: `${remark}\n`, at: Date.now() })
  control.interruptAfter(job.limitMs)
  let found: Outcome
  if (job.is === 'program') found = await runProgram(job, run)
  else if (job.is === 'suite' || warm === null) found = await runPlain(job, run)
  else found = await warm.run(run)
  tellOpenPages()
  try {
    const workingDir = job.is === 'suite' ? placeBelow(folder, job.workingDir) : folder
    filesLeftOut = tellFiles([...findFiles(folder, workingDir, before), ...findCache(folder, before)])
  } catch (error) {
    // The script may have made anything of its folder: how it ended is known all the same.
    tellOutput('err', `Not all files could be taken along: ${error}\n`)
  }
  return found
}
