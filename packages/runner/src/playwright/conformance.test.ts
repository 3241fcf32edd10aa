/**
 * Every engine tells of the same script the same: what ran, how it ended, its steps, errors, output and files. The corpus
 * is run once by the plain command, each file in a worker of its own, and file by file in a process that was loaded ahead,
 * from code that was compiled before, and in one that was forked from a template.
 * `CONFORMANCE=long` runs each file by the plain command alone, as a job.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ScriptEngine } from '@vedette/schema'
import { findSystemBrowsers, linkBrowsers } from './browsers.ts'
import type { ScriptEvent } from './event.ts'
import type { JobFile, PlaywrightJob } from './job.ts'
import { type ForkedRuns, startForking } from './testing/forked-runs.ts'
import { fillCompiled, InsideProcess, only, RUNTIME } from './testing/inside-process.ts'
import { startSite } from './testing/site.ts'
import { pagesOf, type Story, storiesOf } from './testing/story.ts'

const CORPUS = join(import.meta.dirname, 'testing/corpus')
const LIMIT_MS = 900_000
const FILES = readdirSync(CORPUS, { recursive: true, encoding: 'utf8', withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(CORPUS.length + 1))
const SPECS = FILES.filter((file) => /\.spec\.\w+$/.test(file))
/** Files that no other can run beside. */
const ALONE = FILES.filter((file) => /\.alone\.\w+$/.test(file))
const HELPERS = FILES.filter((file) => file.startsWith('helpers/'))
/** What is different where a proxy is the only way out, as it is for all that is forked. */
const DIRECT = new Set(['refused.spec.ts'])
const IS_LONG = process.env.CONFORMANCE === 'long'
const RECORDING = { trace: 'retain-on-failure', video: 'off', screenshot: 'only-on-failure' } as const

const temporary = mkdtempSync(join(tmpdir(), 'vedette-conformance-'))
const browsers = join(temporary, 'browsers')
const compiled = { folder: join(temporary, 'compiled'), isFilled: false }
const site = await startSite()
const ENGINES = { warm: 'the engine that is loaded ahead', forked: 'the engine that is forked' } as const
const heard: Record<ScriptEngine, ScriptEvent[]> = { plain: [], warm: [], forked: [] }
let plain = new Map<string, Story>()
let forking: ForkedRuns | null = null
/** Why nothing can be forked here. */
let noForking: string | null = null

before(async () => {
  const linked = await linkBrowsers(RUNTIME, browsers, await findSystemBrowsers(process.env.CHROMIUM_PATH))
  // Its users come from elsewhere.
  chmodSync(temporary, 0o755)
  forking = await startForking(linked).catch((error: Error) => {
    noForking = error.message
    return null
  })
  await fillCompiled(compiled.folder, true, browsers)
  if (!IS_LONG) plain = await runAllByThePlainCommand()
})
after(async () => {
  await forking?.close()
  site.server.close()
  rmSync(temporary, { recursive: true })
})

for (const engine of ['warm', 'forked'] as const) {
  for (const file of SPECS) {
    if (engine === 'forked' && DIRECT.has(file)) continue
    test(`${file}: ${ENGINES[engine]} tells the same as the plain command`, async (t) => {
      if (engine === 'forked' && noForking !== null) return t.skip(noForking)
      const found = await runAlone(engine, file)
      if (IS_LONG && engine === 'warm') plain.set(file, await runAlone('plain', file))
      assert.deepEqual(found, plain.get(file))
      assert.ok(found.tests.length > 0)
    })
  }

  test(`what pages say is told the same by ${ENGINES[engine]}`, { skip: IS_LONG }, (t) => {
    if (engine === 'forked' && noForking !== null) return t.skip(noForking)
    assert.deepEqual(pagesOf(heard[engine]), pagesOf(heard.plain))
    assert.ok(only(heard[engine], 'page').length > 10)
  })
}

for (const file of ALONE)
  test(`${file}: all engines tell the same`, async () => {
    const expected = await runAlone('plain', file)
    assert.deepEqual(await runAlone('warm', file), expected)
    if (noForking === null) assert.deepEqual(await runAlone('forked', file), expected)
  })

async function runAlone(engine: ScriptEngine, file: string): Promise<Story> {
  const { events, folder } = await runIn(engine, {
    is: 'test',
    entry: file,
    variables: { SITE: site.url },
    files: [file, ...HELPERS].map(fileOf),
    limitMs: LIMIT_MS,
    recording: RECORDING,
  })
  if (SPECS.includes(file) && engine !== 'plain') heard[engine].push(...events)
  const begin = only(events, 'begin')[0]
  if (begin) assert.equal(begin.engine, engine)
  return storiesOf(events, [folder]).values().next().value ?? { tests: [], faults: [], out: '', err: '' }
}

async function runIn(engine: ScriptEngine, job: PlaywrightJob) {
  if (engine === 'forked' && forking !== null) return { events: await forking.run(job), folder: '/job' }
  const process = new InsideProcess(engine, { browsers, ...(engine === 'warm' && { compiled }) })
  return { events: await process.run(job), folder: process.folder }
}

/** As a suite with a configuration of its own, in which each file is a project, and so has a worker for itself. */
async function runAllByThePlainCommand(): Promise<Map<string, Story>> {
  const archive = join(temporary, 'corpus.tgz')
  execFileSync('tar', ['czf', archive, '-C', CORPUS, ...SPECS, 'helpers', '-C', join(CORPUS, '..'), 'suite.config.mjs'])
  const process = new InsideProcess('plain', { browsers })
  const events = await process.run({
    is: 'suite',
    archive: 'corpus.tgz',
    workingDir: '.',
    args: ['--config', 'suite.config.mjs'],
    variables: { SITE: site.url },
    files: [{ path: 'corpus.tgz', content: readFileSync(archive, 'base64'), encoding: 'base64' }],
    limitMs: LIMIT_MS,
    recording: { trace: 'off', video: 'off', screenshot: 'off' },
  })
  heard.plain.push(...events)
  return storiesOf(events, [process.folder])
}

function fileOf(path: string): JobFile {
  return { path, content: readFileSync(join(CORPUS, path), 'utf8'), encoding: 'utf8' }
}
