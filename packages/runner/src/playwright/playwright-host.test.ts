import assert from 'node:assert/strict'
import fs from 'node:fs'
import { type TestContext, test } from 'node:test'
import { executeRun } from '../execute-run.ts'
import { TroubleWatch } from '../own-trouble.ts'
import { NO_ISOLATION } from '../scripts/isolation.ts'
import { ScriptHost } from '../scripts/script-host.ts'
import { leasedRun, runContext } from '../testing/builders.ts'
import { filesLeft, ownTemporaryFolder, playwrightProcessesLeft, playwrightProcessesOf } from '../testing/leftovers.ts'
import type { PlaywrightJob } from './job.ts'
import { PlaywrightHost, type PlaywrightHostOptions } from './playwright-host.ts'
import { jobOf } from './run-files.ts'

const JUDGED_BY = { shouldFail: false, degradedResponseTime: null, maxResponseTime: null }
const SECRET = 'lantern-one\nlantern-two'
const WANTED = { runtimeId: '2025.04', hasPages: false } as const
const recording = { trace: 'off', video: 'off', screenshot: 'off' } as const
const job = (body: string, limitMs = 120_000): PlaywrightJob =>
  jobOf({
    settings: {
      script: `const { test } = require('@playwright/test'); test('it', async () => { ${body} })`,
      ...{ scriptPath: 'a.spec.js', dependencies: [] },
    },
    ...{ variables: [], snippets: [], recording, limitMs },
  })
/** Tells where it ran. */
const WHERE = `const found = /vedette-script-\\w{6}/.exec(require('node:fs').readFileSync('/proc/self/mountinfo', 'utf8') + process.cwd())
  test.info().annotations.push({ type: 'where', description: found[0] })`

async function hostIn(t: TestContext, options: Partial<PlaywrightHostOptions> = {}) {
  const folder = ownTemporaryFolder(t)
  const lines: string[] = []
  const log = (_: string, line: string) => lines.push(line)
  const scripts = new ScriptHost({ log, allowReduced: true })
  const host = new PlaywrightHost({ log, scripts, dialer: runContext().dialer, concurrency: 2, ...options })
  t.after(() => host.close())
  if ((await scripts.level()) === null) t.skip(lines.join('; '))
  return { folder, host, lines }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** With something in it that can be seen from outside. */
const ENDLESS = `require('node:child_process').spawn('sleep', ['1000']); await new Promise(() => {})`
const isUnderWay = (folder: string) => playwrightProcessesOf(folder).some((pid) => commandOf(pid).startsWith('sleep'))

const mainOf = (folder: string) => playwrightProcessesOf(folder).filter((pid) => commandOf(pid).includes('main.ts'))

test('a process that was made ready is used once', async (t) => {
  const { host, folder } = await hostIn(t)
  host.prepare(WANTED)
  await until(() => filesLeft(folder).length === 1)
  const [prepared] = filesLeft(folder)
  const places: unknown[] = []
  for (let turn = 0; turn < 2; turn += 1) {
    const { run, problem } = await host.run(WANTED, job(WHERE))
    assert.equal(problem, null)
    assert.equal(run.status, 'passed')
    places.push(run.tests[0]?.annotations[0]?.description)
    assert.deepEqual(filesLeft(folder), [])
  }
  assert.equal(places[0], prepared)
  assert.notEqual(places[1], prepared)
  await playwrightProcessesLeft(folder, 0)
})

test('what was made of a script is brought to the next run of the same check', async (t) => {
  const { host } = await hostIn(t)
  const made = async (checkId: string, body: string) => {
    const { run, cache } = await host.run({ ...WANTED, checkId }, job(body))
    assert.equal(run.status, 'passed')
    return cache.size
  }
  const text = "test.info().annotations.push({ type: 'a' })"
  assert.equal(await made('one', text), 2)
  assert.equal(await made('one', text), 0)
  assert.equal(await made('two', text), 2)
  assert.equal(await made('one', `${text};`), 2)
})

test('a run that reaches the limit of its check is told apart from one that fails', async (t) => {
  const { host } = await hostIn(t)
  const { dialer } = runContext()
  const settings = { runtimeId: '2025.04' as const, scriptPath: 'a.spec.js', dependencies: [], ...JUDGED_BY }
  const variables = [{ key: 'PASSWORD', value: SECRET, hidden: true }]
  const ended = async (body: string, limitMs: number) => {
    const script = `const { test } = require('@playwright/test'); test('it', async () => { ${body} })`
    const run = { ...leasedRun({}), kind: 'MULTI_STEP' as const, variables, settings: { ...settings, script, limitMs } }
    const tools = { dialer, watch: new TroubleWatch(), playwright: host }
    const { verdict, rule, error, detail } = await executeRun(run, performance.now(), tools)
    assert.ok(detail?.kind === 'MULTI_STEP')
    return { verdict, rule, error, status: detail.content.status, told: detail.content.errors[0]?.message }
  }
  const slow = await ended('test.setTimeout(0); await new Promise(() => setTimeout(() => {}, 1e6))', 1500)
  const { error, ...rest } = slow
  const told = 'the script: it was not done within 1.5 s'
  assert.deepEqual(rest, { verdict: 'failed', rule: 'script-timed-out', status: 'timedout', told })
  assert.ok(error?.startsWith(told))
  const broken = await ended('throw new Error("no lanterns")', 120_000)
  const why = { error: 'it: no lanterns', told: 'Error: no lanterns' }
  assert.deepEqual(broken, { verdict: 'failed', rule: 'script-failed', status: 'failed', ...why })
  // Of a secret no line and no beginning is told, wherever the text is cut.
  for (const before of ['no', 'x'.repeat(995)]) {
    const { error } = await ended(`throw new Error('${before} ' + process.env.PASSWORD + ' was taken')`, 120_000)
    assert.equal(error, `it: ${before} ********${before === 'no' ? ' was taken' : ''}`.slice(0, 1004))
  }
  const itself = await ended('process.kill(process.pid, "SIGINT"); await new Promise(() => {})', 120_000)
  assert.deepEqual(
    [itself.rule, itself.status, itself.error],
    ['script-failed', 'interrupted', 'it: it was interrupted'],
  )
})

test('a process that nobody uses is ended', async (t) => {
  const { host, folder } = await hostIn(t, { unusedMs: 3000 })
  host.prepare(WANTED)
  await until(() => filesLeft(folder).length === 1)
  await until(() => filesLeft(folder).length === 0)
  await playwrightProcessesLeft(folder, 0)
})

test('a process that has ended meanwhile is not used', async (t) => {
  const { host, folder } = await hostIn(t)
  host.prepare(WANTED)
  await until(() => mainOf(folder).length > 0)
  // The others go with it.
  process.kill(Number(mainOf(folder)[0]), 'SIGKILL')
  await playwrightProcessesLeft(folder, 0)
  const { run, problem } = await host.run(WANTED, job(''))
  assert.equal(problem, null)
  assert.equal(run.status, 'passed')
})

test('when what starts processes is killed, the run is trouble of ours, and the next one runs', async (t) => {
  const { host, folder } = await hostIn(t)
  const run = host.run(WANTED, job(ENDLESS))
  await until(() => isUnderWay(folder))
  const starters = fs.readdirSync('/proc').filter((pid) => {
    try {
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return (
        command.includes('launch-process.ts') &&
        fs.readFileSync(`/proc/${pid}/stat`, 'utf8').includes(` ${process.pid} `)
      )
    } catch {
      return false
    }
  })
  assert.equal(starters.length, 1)
  process.kill(Number(starters[0]), 'SIGKILL')
  const { problem } = await run
  assert.match(problem?.text ?? '', /the process that starts scripts has ended/)
  assert.equal(problem?.ours, true)
  await playwrightProcessesLeft(folder, 0)
  assert.deepEqual(filesLeft(folder), [])
  assert.equal((await host.run(WANTED, job(''))).run.status, 'passed')
})

test('a host that is closed ends what runs, refuses what comes, and leaves nothing', async (t) => {
  const { host, folder } = await hostIn(t)
  const running = host.run(WANTED, job(ENDLESS))
  await until(() => isUnderWay(folder))
  host.prepare(WANTED)
  host.prepare(WANTED)
  await host.close()
  const { problem } = await running
  assert.deepEqual(problem, { text: 'this runner is ending', ours: true })
  await playwrightProcessesLeft(folder, 0)
  assert.deepEqual(filesLeft(folder), [])
  const refused = await host.run(WANTED, job(''))
  assert.deepEqual(refused.problem, { text: 'this runner is ending', ours: true })
  host.prepare(WANTED)
  assert.deepEqual(filesLeft(folder), [])
})

test('without isolation, room or a runtime a run is in error for reasons of ours', async (t) => {
  const { folder } = await hostIn(t)
  const why = async (options: Partial<PlaywrightHostOptions>) => {
    const log = () => {}
    const scripts = new ScriptHost({ log, allowReduced: false, level: 'reduced' })
    const host = new PlaywrightHost({ log, scripts, dialer: runContext().dialer, concurrency: 1, ...options })
    const { problem } = await host.run(WANTED, job(''))
    await host.close()
    assert.equal(problem?.ours, true)
    return problem.text
  }
  assert.equal(await why({}), NO_ISOLATION)
  assert.match(await why({ freeBytes: () => 0, waitsMs: 10 }), /no room for the script within 0.01 s/)
  assert.match(await why({ runtimes: [] }), /2025.04 is not installed/)
  assert.deepEqual(filesLeft(folder), [])
})

test('a run that waited for room says so, and its times are those of the run itself', async (t) => {
  const { host } = await hostIn(t, { concurrency: 1 })
  const askedAt = Date.now()
  const slow = host.run(WANTED, job('await new Promise((resolve) => setTimeout(resolve, 1200))'))
  const waiting = await host.run(WANTED, job(''))
  const first = await slow
  assert.ok(waiting.run.startTime >= first.run.endTime - 5 && first.run.startTime >= askedAt)
  assert.match(waiting.run.jobLog[0]?.msg ?? '', /^The run waited \d+\.\d s for room on this runner$/)
})
