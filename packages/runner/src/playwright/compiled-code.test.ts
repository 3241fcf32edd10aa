/** Compiled code that all runs of a runtime execute: none of them can change it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ScriptHost } from '../scripts/script-host.ts'
import { runContext } from '../testing/builders.ts'
import { filesLeft, ownTemporaryFolder, playwrightProcessesLeft } from '../testing/leftovers.ts'
import { type Attempt, CompiledCode, canBeShared } from './compiled-code.ts'
import { PlaywrightHost } from './playwright-host.ts'
import { jobOf } from './run-files.ts'

const RUNTIME_ID = '2025.04'
const recording = { trace: 'off', video: 'off', screenshot: 'off' } as const

/** Tells of each way in which it got to write there. */
const ATTACK = `const { test } = require('@playwright/test')
const fs = require('node:fs'), { join } = require('node:path'), { spawnSync } = require('node:child_process')
const folder = process.env.NODE_COMPILE_CACHE
test('it', () => {
  const file = folder && join(folder, 'playwright+lib+common+index.js.code')
  const mounts = 'mount -o remount,bind,rw "$0" && echo >> "$0/mounted"'
  const ways = {
    read: () => fs.readFileSync(file),
    overwrite: () => fs.writeFileSync(file, ''),
    append: () => fs.appendFileSync(file, 'x'),
    add: () => fs.writeFileSync(join(folder, 'playwright+lib+program.js.code'), ''),
    remove: () => fs.rmSync(file),
    replace: () => fs.renameSync(file, file + '2'),
    allow: () => fs.chmodSync(folder, 0o777),
    mount: () => { if (spawnSync('sh', ['-c', mounts, folder]).status !== 0) throw new Error() },
    nest: () => { if (spawnSync('unshare', ['-Urm', 'sh', '-c', mounts, folder]).status !== 0) throw new Error() },
  }
  const worked = Object.keys(ways).filter((name) => { try { ways[name](); return true } catch { return false } })
  test.info().annotations.push({ type: 'found', description: folder ? worked.join() : 'none' })
})`

function contentOf(folder: string): string {
  const hash = createHash('sha256')
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { uid, mode } = fs.lstatSync(path)
    assert.deepEqual([path, uid, mode & 0o022], [path, process.getuid?.(), 0])
    hash.update(`${path} ${entry.isFile() ? fs.readFileSync(path, 'base64') : ''}\n`)
  }
  return hash.digest('hex')
}

for (const level of ['strict', 'namespaces'] as const)
  test(`at the level "${level}" runs use what was compiled before, and cannot change it`, async (t) => {
    const folder = ownTemporaryFolder(t)
    const lines: string[] = []
    const log = (_: string, line: string) => lines.push(line)
    const scripts = new ScriptHost({ log, allowReduced: true, level })
    const way = await scripts.way()
    if (way === null || !canBeShared(way)) return t.skip(lines.join('; '))
    const { dialer } = runContext()
    const host = new PlaywrightHost({ log, scripts, dialer, concurrency: 1, keepsCompiled: true })
    t.after(() => host.close())
    // With pages a sandbox in the sandbox can be made.
    const wanted = { runtimeId: RUNTIME_ID, hasPages: (await host.browser(RUNTIME_ID)) !== null } as const
    const attack = async () => {
      const job = jobOf({
        settings: { script: ATTACK, scriptPath: 'a.spec.js', dependencies: [] },
        ...{ variables: [], snippets: [], recording, limitMs: 120_000 },
      })
      const { run, problem } = await host.run(wanted, job)
      assert.deepEqual([problem, run.status, run.runtime.engine], [null, 'passed', 'warm'])
      return run.tests[0]?.annotations[0]?.description
    }
    // The first run has it made.
    let found = await attack()
    assert.equal(found, 'none')
    const told = () => lines.filter((line) => line.includes('compiled'))
    while (found === 'none' && told().length === 0) found = await attack()
    assert.deepEqual(told(), [])
    assert.equal(found, 'read')
    const [shared] = filesLeft(folder)
    const compiled = join(folder, String(shared), `compiled-${RUNTIME_ID}-${wanted.hasPages ? 'pages' : 'requests'}`)
    assert.ok(fs.existsSync(join(compiled, 'playwright-core+lib+coreBundle.js.code')))
    const before = contentOf(compiled)
    assert.equal(await attack(), 'read')
    assert.equal(contentOf(compiled), before)
    await host.close()
    await playwrightProcessesLeft(folder, 0)
    assert.deepEqual(filesLeft(folder), [])
  })

test('where a script is the same user as the runner, and sees its files, nothing is kept', () => {
  const shared = (level: 'strict' | 'namespaces' | 'reduced', apart: boolean) =>
    canBeShared({ level, apart, filter: null })
  assert.deepEqual(
    [shared('strict', false), shared('namespaces', false), shared('reduced', false)],
    [true, false, false],
  )
  assert.deepEqual([shared('strict', true), shared('namespaces', true), shared('reduced', true)], [true, true, true])
})

function codeIn(t: TestContext) {
  const folder = ownTemporaryFolder(t)
  const troubles: string[] = []
  const clock = { now: 0 }
  let attempts = 0
  const code = new CompiledCode({
    folder: async () => folder,
    trouble: (reason) => troubles.push(reason),
    now: () => clock.now,
  })
  const make = (key: string, fill: (folder: string) => Attempt) =>
    code.make(key, async (place) => {
      attempts += 1
      return fill(place.folder)
    })
  return { code, make, troubles, clock, attempts: () => attempts }
}

const MINUTE = 60_000
const fails = () => {
  throw new Error('no luck')
}

test('what could not be made, or is not only files, is told of and done without', async (t) => {
  const { code, make, troubles } = codeIn(t)
  await make('a', fails)
  await make('b', (folder) => {
    fs.symlinkSync('/etc', join(folder, 'link'))
    return 'filled'
  })
  assert.deepEqual(troubles, ['no luck', 'there is something else than files in it'])
  assert.deepEqual([code.find('a'), code.find('b')], [null, null])
})

test('what could not be made is tried again ever more seldom, told of once, and begun anew', async (t) => {
  const { code, make, troubles, clock, attempts } = codeIn(t)
  const times: number[] = []
  for (; clock.now < 10 * 60 * MINUTE; clock.now += MINUTE) {
    const before = attempts()
    await make('a', (folder) => {
      assert.deepEqual(fs.readdirSync(folder), [])
      fs.writeFileSync(join(folder, 'half'), '')
      return fails()
    })
    if (attempts() > before) times.push(clock.now / MINUTE)
  }
  assert.deepEqual(times, [0, 5, 15, 35, 75, 155, 275, 395, 515])
  assert.deepEqual(troubles, ['no luck'])
  clock.now += 120 * MINUTE
  await make('a', () => 'filled')
  assert.ok(code.find('a'))
  clock.now += 120 * MINUTE
  await make('a', fails)
  assert.ok(code.find('a'), 'what has been made stays')
})

test('an attempt for which it was not the time is no failure: nobody hears of it, and the next comes soon', async (t) => {
  const { code, make, troubles, clock, attempts } = codeIn(t)
  for (; attempts() < 5; clock.now += MINUTE) await make('a', () => 'not now')
  assert.equal(clock.now, 21 * MINUTE)
  assert.deepEqual(troubles, [])
  clock.now += 4 * MINUTE
  await make('a', () => 'filled')
  assert.ok(code.find('a'))
})

test('of two who want it made at the same time one does it', async (t) => {
  const { make, attempts } = codeIn(t)
  await Promise.all([make('a', () => 'filled'), make('a', () => 'filled'), make('b', () => 'filled')])
  assert.equal(attempts(), 2)
})

test('a runner that ends while code is compiled says nothing of it, and leaves nothing', async (t) => {
  const folder = ownTemporaryFolder(t)
  const lines: string[] = []
  const log = (_: string, line: string) => lines.push(line)
  const scripts = new ScriptHost({ log, allowReduced: true })
  const way = await scripts.way()
  if (way === null || !canBeShared(way)) return t.skip(lines.join('; '))
  const { dialer } = runContext()
  const host = new PlaywrightHost({ log, scripts, dialer, concurrency: 1, keepsCompiled: true })
  t.after(() => host.close())
  const content = "require('@playwright/test').test('it', () => {})"
  const job = jobOf({
    settings: { script: content, scriptPath: 'a.spec.js', dependencies: [] },
    ...{ variables: [], snippets: [], recording, limitMs: 120_000 },
  })
  assert.equal((await host.run({ runtimeId: RUNTIME_ID, hasPages: false }, job)).run.status, 'passed')
  const isBeingCompiled = () => fs.globSync(join(folder, 'vedette-shared-*', 'compiled-*')).length > 0
  while (!isBeingCompiled()) await new Promise((resolve) => setTimeout(resolve, 10))
  await host.close()
  await playwrightProcessesLeft(folder, 0)
  assert.deepEqual(filesLeft(folder), [])
  assert.deepEqual(
    lines.filter((line) => /compiled|is left/.test(line)),
    [],
  )
})
