/** The command `playwright test`, as anybody would start it, with our reporter in it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { PlaywrightJob } from '../job.ts'
import { unpack } from './archive.ts'
import { configurationOf } from './configuration.ts'
import { readLedger } from './files.ts'
import { tellOutput } from './output.ts'
import { endedBy, type Outcome, outcomeOf, type Run } from './run.ts'
import { passOn } from './said.ts'
import { EVENTS_FD, say, sayLine } from './say.ts'
import { placesIn, type Settings } from './settings.ts'
import { KNOWN_VERSIONS } from './versions.ts'
import { placeBelow } from './workspace.ts'

const REPORTER = join(import.meta.dirname, 'reporter.ts')
const CONFIG = join(import.meta.dirname, 'config.ts')
/** What the command prints before its first test: workers print it again, but where none starts it is all there is. */
const EARLY_LIMIT = 64 * 1024
/** Versions that add a reporter of their own to those of the configuration. */
const ADDS_REPORTERS = /^1\.(?:6[5-9]|[7-9]\d|\d{3,})\./

export async function runPlain(job: PlaywrightJob, run: Run): Promise<Outcome> {
  const { folder } = run.settings
  const workingDir = job.is === 'suite' ? placeBelow(folder, job.workingDir) : folder
  if (job.is === 'suite') {
    const { written, hasMore } = await unpack(placeBelow(folder, job.archive), folder, isOfPlaywright)
    for (const path of written) run.before.add(path)
    if (hasMore) tellOutput('out', 'The Playwright that the bundle brings is left out: that of the runtime runs.\n')
    if (!existsSync(workingDir)) throw new Error(`the bundle has no folder ${JSON.stringify(job.workingDir)}`)
  }
  const { command, version } = findCommand(workingDir)
  const args = job.is === 'suite' ? suiteArgs(job, folder, version) : ['--config', configFile(run.settings)]
  const child = spawn(process.execPath, [command, 'test', ...args], {
    cwd: workingDir,
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe'],
  })
  const interrupt = () => child.kill('SIGINT')
  run.interruption.addEventListener('abort', interrupt)
  if (run.interruption.aborted) interrupt()
  const stopPassing = passOn(folder)
  const { hadTests, early } = relay(child)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  stopPassing()
  if (!hadTests()) tellOutput('out', early())
  const ledger = readLedger(folder)
  const result = ledger.findLast((line) => line.is === 'result')
  if (result) return { status: outcomeOf(result.status), code: null }
  const stopped = ledger.find((line) => line.is === 'fault')
  if (stopped) {
    say(stopped)
    return { status: 'failed', code: null }
  }
  if (run.interruption.aborted) return { status: 'interrupted', code: null }
  say(endedBy(code))
  return { status: 'failed', code: null }
}

/** Of another version pages would find no way out, and no browser; two copies of one would refuse to work together. */
const isOfPlaywright = (path: string) =>
  /(?:^|\/)node_modules\/(?:@playwright\/test|playwright|playwright-core)(?:\/|$)/.test(path)

/** That of the runtime: no other is unpacked. */
function findCommand(workingDir: string): { command: string; version: string } {
  const require = createRequire(join(workingDir, 'from-here.js'))
  const manifest = require.resolve('@playwright/test/package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return { command: join(dirname(manifest), 'cli.js'), version }
}

function suiteArgs(job: Extract<PlaywrightJob, { is: 'suite' }>, folder: string, version: string): string[] {
  const { report } = placesIn(folder)
  Object.assign(process.env, {
    PW_TEST_REPORTER: REPORTER,
    PLAYWRIGHT_HTML_OPEN: 'never',
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  const asks = (option: string) => job.args.some((arg) => arg === option || arg.startsWith(`${option}=`))
  const added: string[] = []
  if (ADDS_REPORTERS.test(version) && !asks('--add-reporter')) added.push('--add-reporter', 'json')
  if (job.recording.trace !== 'off' && !asks('--trace')) added.push('--trace', job.recording.trace)
  return [...job.args, ...added]
}

/** Versions before 1.42 start themselves anew, without our descriptor, where their configuration is an ES module. */
function configFile(settings: Settings): string {
  if (KNOWN_VERSIONS.has(settings.version)) return CONFIG
  const { testMatch, ...rest } = configurationOf(settings)
  const file = join(placesIn(settings.folder).own, 'config.cjs')
  const pattern = `new RegExp(${JSON.stringify(testMatch.source)})`
  writeFileSync(file, `module.exports = { ...${JSON.stringify(rest)}, testMatch: ${pattern} }\n`)
  return file
}

/** Passes on what the reporter says, and what the command prints by itself. */
function relay(child: ChildProcess) {
  let hadTests = false
  let early = ''
  const events = child.stdio[EVENTS_FD]
  if (isReadable(events))
    createInterface({ input: events }).on('line', (line) => {
      if (!hadTests && line.startsWith('{"is":"test"')) hadTests = true
      sayLine(line)
    })
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (!hadTests && early.length < EARLY_LIMIT) early += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => tellOutput('err', text))
  return { hadTests: () => hadTests, early: () => early }
}

const isReadable = (stream: unknown): stream is Readable =>
  typeof stream === 'object' && stream !== null && 'read' in stream
