/**
 * Every engine tells of the same script the same: what ran, how it ended, its steps, errors, output and files. The corpus
 * is run once by the plain command, each file in a worker of its own, and file by file in a process that was loaded ahead,
 * from code that was compiled before.
 * `CONFORMANCE=long` runs each file by the plain command alone, as a job.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ScriptEngine } from '@vedette/schema'
import { findSystemBrowsers, linkBrowsers } from './browsers.ts'
import type { ScriptEvent } from './event.ts'
import type { JobFile } from './job.ts'
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
const IS_LONG = process.env.CONFORMANCE === 'long'
const RECORDING = { trace: 'retain-on-failure', video: 'off', screenshot: 'only-on-failure' } as const

const temporary = mkdtempSync(join(tmpdir(), 'vedette-conformance-'))
const browsers = join(temporary, 'browsers')
const compiled = { folder: join(temporary, 'compiled'), isFilled: false }
const site = await startSite()
const heard: Record<'plain' | 'warm', ScriptEvent[]> = { plain: [], warm: [] }
let plain = new Map<string, Story>()

before(async () => {
  await linkBrowsers(RUNTIME, browsers, await findSystemBrowsers(process.env.CHROMIUM_PATH))
  await fillCompiled(compiled.folder, true, browsers)
  if (!IS_LONG) plain = await runAllByThePlainCommand()
})
after(() => {
  site.server.close()
  rmSync(temporary, { recursive: true })
})

for (const file of SPECS)
  test(`${file}: the engine that is loaded ahead tells the same as the plain command`, async () => {
    const warm = await runAlone('warm', file)
    if (IS_LONG) plain.set(file, await runAlone('plain', file))
    assert.deepEqual(warm, plain.get(file))
    assert.ok(warm.tests.length > 0)
  })

for (const file of ALONE)
  test(`${file}: the engine that is loaded ahead tells the same as the plain command`, async () => {
    assert.deepEqual(await runAlone('warm', file), await runAlone('plain', file))
  })

test('what pages say is told the same', { skip: IS_LONG }, () => {
  assert.deepEqual(pagesOf(heard.warm), pagesOf(heard.plain))
  assert.ok(only(heard.warm, 'page').length > 10)
})

async function runAlone(engine: ScriptEngine, file: string): Promise<Story> {
  const process = new InsideProcess(engine, { browsers, ...(engine === 'warm' && { compiled }) })
  const isSpec = SPECS.includes(file)
  const events = await process.run({
    is: 'test',
    entry: file,
    variables: { SITE: site.url },
    files: [file, ...HELPERS].map(fileOf),
    limitMs: LIMIT_MS,
    recording: RECORDING,
  })
  if (isSpec && engine === 'warm') heard.warm.push(...events)
  const begin = only(events, 'begin')[0]
  if (begin) assert.equal(begin.engine, engine)
  return storiesOf(events, [process.folder]).values().next().value ?? { tests: [], faults: [], out: '', err: '' }
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
