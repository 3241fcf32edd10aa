/** Runs in forked processes, of which something is ended from outside: nobody is blamed, and the next one runs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { type Found, ScriptHost } from '../scripts/script-host.ts'
import { runContext } from '../testing/builders.ts'
import {
  filesLeft,
  forkingProcessesOf,
  ownTemporaryFolder,
  playwrightProcessesLeft,
  playwrightProcessesOf,
} from '../testing/leftovers.ts'
import type { PlaywrightJob } from './job.ts'
import { PlaywrightHost } from './playwright-host.ts'
import { jobOf } from './run-files.ts'

const WANTED = { runtimeId: '2025.04', hasPages: false } as const
const recording = { trace: 'off', video: 'off', screenshot: 'off' } as const
const job = (body = ''): PlaywrightJob =>
  jobOf({
    settings: {
      script: `const { test } = require('@playwright/test'); test('it', async () => { ${body} })`,
      ...{ scriptPath: 'a.spec.js', dependencies: [] },
    },
    ...{ variables: [], snippets: [], recording, limitMs: 120_000 },
  })

interface Machine {
  host: PlaywrightHost
  folder: string
  lines: string[]
  /** What is found of it when it is asked for, in place of what is there. */
  change(how: (way: Found) => Found): void
}

/** Null where nothing can be forked: then the test is skipped, with the reason. */
async function machine(t: TestContext): Promise<Machine | null> {
  const folder = ownTemporaryFolder(t)
  const lines: string[] = []
  const log = (_: string, line: string) => lines.push(line)
  const real = new ScriptHost({ log, allowReduced: true })
  let seen = (way: Found) => way
  const way = async () => {
    const found = await real.way()
    return found === null ? null : seen(found)
  }
  const shared = { log, scripts: { way }, dialer: runContext().dialer, concurrency: 2 }
  const host = new PlaywrightHost({ ...shared, engine: 'forked' })
  t.after(() => host.close())
  if (!(await host.forks(WANTED))) {
    t.skip(lines.join('; '))
    return null
  }
  const change = (how: typeof seen) => {
    seen = how
  }
  return { host, folder, lines, change }
}

function only(pids: readonly number[]): number {
  assert.equal(pids.length, 1)
  return pids[0] ?? assert.fail()
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Then it is also known that the template has ended. */
async function nothingLeft(folder: string): Promise<void> {
  await playwrightProcessesLeft(folder, 0)
  // What all runs read stays as long as the host is open.
  await until(() => filesLeft(folder).every((name) => name.startsWith('vedette-shared-')))
}

const ENDLESS = `require('node:child_process').spawn('sleep', ['1000']); await new Promise(() => {})`
const isUnderWay = (folder: string) =>
  playwrightProcessesOf(folder).some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep')
    } catch {
      return false
    }
  })

/** While it is being told to the first process that asks for it. */
function whenTold(told: PlaywrightJob, strike: () => void): PlaywrightJob {
  let isFirst = true
  const { variables } = told
  return Object.defineProperty({ ...told }, 'variables', {
    enumerable: true,
    get: () => {
      if (isFirst) strike()
      isFirst = false
      return variables
    },
  })
}

const strikes = [
  ['a forked process that crashes', 'copies', 'SIGSEGV', /its process crashed \(SIGSEGV\)/],
  ['a template that is killed', 'templates', 'SIGKILL', /its process was lost: it was ended from outside/],
] as const

for (const [what, which, signal, why] of strikes)
  test(`${what} before the script ran is replaced by a usual one`, async (t) => {
    const found = await machine(t)
    if (found === null) return
    const { host, folder, lines } = found
    let struck = 0
    const end = await host.run(
      WANTED,
      whenTold(job('console.log("well")'), () => {
        struck = only(forkingProcessesOf(folder)[which])
        process.kill(struck, signal)
      }),
    )
    assert.notEqual(struck, 0)
    const { status, runtime, errors, tests, jobLog } = end.run
    assert.deepEqual(
      { problem: end.problem, status, engine: runtime.engine, errors, tests: tests.map(({ status }) => status) },
      { problem: null, status: 'passed', engine: 'warm', errors: [], tests: ['passed'] },
    )
    assert.deepEqual(
      jobLog.filter(({ level }) => level !== 'INFO'),
      [],
    )
    assert.match(lines.join('\n'), /a forked process was gone before its script ran/)
    assert.match(lines.join('\n'), why)
    // One crash is none too many: the next run is forked, of the same template or of another.
    if (which === 'templates') await nothingLeft(folder)
    assert.equal(await host.forks(WANTED), true)
    const next = await host.run(WANTED, job())
    assert.deepEqual([next.problem, next.run.status, next.run.runtime.engine], [null, 'passed', 'forked'])
    await host.close()
    await playwrightProcessesLeft(folder, 0)
    assert.deepEqual(filesLeft(folder), [])
  })

test('a template that is killed under a run is trouble of ours, nothing stays, and the next run is forked again', async (t) => {
  const found = await machine(t)
  if (found === null) return
  const { host, folder } = found
  const running = host.run(WANTED, job(ENDLESS))
  await until(() => isUnderWay(folder))
  process.kill(only(forkingProcessesOf(folder).templates), 'SIGKILL')
  const { problem, run } = await running
  assert.equal(problem?.ours, true, problem?.text)
  assert.match(problem.text, /its process was lost/)
  assert.equal(run.runtime.engine, 'forked')
  await nothingLeft(folder)
  const next = await host.run(WANTED, job())
  assert.deepEqual([next.problem, next.run.status, next.run.runtime.engine], [null, 'passed', 'warm'])
  assert.equal(await host.forks(WANTED), true)
  assert.equal((await host.run(WANTED, job())).run.runtime.engine, 'forked')
})

test('it is told that runs are forked when they are, and no longer when that is given up', async (t) => {
  const found = await machine(t)
  if (found === null) return
  const { host, folder, change, lines } = found
  const told = () => host.equipment?.runtimes.find(({ id }) => id === WANTED.runtimeId)?.engine
  assert.equal(told(), undefined)
  await host.look()
  assert.equal(told(), 'forked')
  const template = only(forkingProcessesOf(folder).templates)
  change((way) => ({ ...way, level: 'namespaces' }))
  process.kill(template, 'SIGKILL')
  await nothingLeft(folder)
  assert.equal(await host.forks(WANTED), false)
  assert.match(lines.join('\n'), /scripts are not forked: that needs the isolation level "strict"/)
  assert.equal(told(), 'warm')
})
