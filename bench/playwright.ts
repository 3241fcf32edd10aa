/**
 * What a script of Playwright costs in a process that was loaded ahead, and in one that was forked from a template, against
 * `playwright test` with the same script, in turns: CPU of all processes, what was used to load the process included, but for
 * the template, which is loaded once; time from the job to its end; memory; and what can be done in a minute, two at a time.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browsers, findSystemBrowsers, linkBrowsers } from '../packages/runner/src/playwright/browsers.ts'
import type { ScriptEvent } from '../packages/runner/src/playwright/event.ts'
import type { JobFile, PlaywrightJob } from '../packages/runner/src/playwright/job.ts'
import { startForking } from '../packages/runner/src/playwright/testing/forked-runs.ts'
import { fillCompiled, InsideProcess, only, RUNTIME } from '../packages/runner/src/playwright/testing/inside-process.ts'
import { startSite } from '../packages/runner/src/playwright/testing/site.ts'
import { IS_SMOKE, pause } from './pace.ts'
import { cpuOf, residentMb, treeOf } from './processes.ts'
import type { Row } from './table.ts'

const ROUNDS = IS_SMOKE ? 1 : 11
/** For what can be done in a minute: so many at a time, in turns of so many runs. */
const LANES = 2
const RUNS = IS_SMOKE ? 2 : 4
const TURNS = IS_SMOKE ? 1 : 4
const IDLE_BUDGET_MB = 95
const SAMPLE_EVERY_MS = 50

type Way = 'ahead' | 'forked'
const WAYS: { readonly [W in Way]: string } = { ahead: 'loaded ahead', forked: 'forked from a template' }

interface Shape {
  name: string
  hasPages: boolean
  script: string
  trace: 'on' | 'retain-on-failure'
  budgets: { readonly [W in Way]: { cpu: number; latency: number } }
}

const SHAPES: readonly Shape[] = [
  {
    name: 'multi-step (a request, an expectation)',
    hasPages: false,
    script: `test('asks', async ({ request }) => {
  const response = await request.get(process.env.SITE + '/json')
  expect(response.status()).toBe(200)
})`,
    trace: 'on',
    budgets: { ahead: { cpu: 0.45, latency: 0.15 }, forked: { cpu: 0.13, latency: 0.15 } },
  },
  {
    name: 'browser (open, click, two expectations)',
    hasPages: true,
    script: `test('opens', async ({ page }) => {
  await page.goto(process.env.SITE + '/form')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('heading')).toHaveText('Form')
  await expect(page.locator('#said')).toHaveText('Hello ')
})`,
    trace: 'retain-on-failure',
    budgets: { ahead: { cpu: 0.6, latency: 0.45 }, forked: { cpu: 0.45, latency: 0.45 } },
  },
]

interface Measured {
  cpuMs: number
  latencyMs: number
  peakMb: number
}

export async function benchPlaywright(): Promise<Row[]> {
  const temporary = mkdtempSync(join(tmpdir(), 'vedette-bench-'))
  // Templates run as another user.
  chmodSync(temporary, 0o755)
  const browsers = join(temporary, 'browsers')
  const linked = await linkBrowsers(RUNTIME, browsers, await findSystemBrowsers(process.env.CHROMIUM_PATH))
  const site = await startSite()
  try {
    const rows: Row[] = []
    for (const shape of SHAPES) rows.push(...(await compare(shape, temporary, linked, site.url)))
    return [...rows, await idle(temporary, browsers)]
  } finally {
    site.server.close()
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function compare(shape: Shape, temporary: string, linked: Browsers, site: string): Promise<Row[]> {
  const browsers = linked.folder
  const content = `import { test, expect } from '@playwright/test'\n${shape.script}\n`
  // As in the product: what was compiled once is there, and so is what was translated.
  const compiled = { folder: compiledBelow(temporary, shape.hasPages), isFilled: false }
  await fillCompiled(compiled.folder, shape.hasPages, browsers)
  const template = await templateOf(shape, linked, site, content)
  const makeLane = (): Record<'command' | Way, () => Promise<Measured>> => ({
    command: commandIn(mkdtempSync(join(temporary, 'command-')), content, shape.trace, browsers, site),
    ahead: aheadIn(mkdtempSync(join(temporary, 'ahead-')), { shape, content, browsers, compiled, site }),
    forked: template.run,
  })
  const ways = ['command', 'ahead', 'forked'] as const
  const lanes = Array.from({ length: LANES }, makeLane)
  const alone = { ...makeLane(), forked: template.runAlone }
  const all: Record<'command' | Way, Measured[]> = { command: [], ahead: [], forked: [] }
  const tookMs = { command: 0, ahead: 0, forked: 0 }
  try {
    // The first fills the caches.
    for (const lane of [alone, ...lanes]) for (const way of ways) await lane[way]()
    for (let round = 0; round < ROUNDS; round += 1) for (const way of ways) all[way].push(await alone[way]())
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const way of ways) tookMs[way] += await timeOf(lanes.map((lane) => lane[way]))
    const memory: Row = {
      figure: `Memory of the template of a ${shape.name} script, once for all of them`,
      budget: 'none',
      measured: `${template.residentMb().toFixed(0)} MB`,
      met: null,
    }
    return [...rowsOf(shape, 'ahead', all, tookMs), ...rowsOf(shape, 'forked', all, tookMs), memory]
  } finally {
    await template.close()
  }
}

function rowsOf(
  shape: Shape,
  way: Way,
  all: Readonly<Record<'command' | Way, Measured[]>>,
  tookMs: Readonly<Record<'command' | Way, number>>,
): Row[] {
  const name = `a ${shape.name} script in a process ${WAYS[way]}`
  const [plain, ours] = [medianOf(all.command), medianOf(all[way])]
  const rate = (ms: number) => ((TURNS * RUNS * 60_000) / ms).toFixed(0)
  const row = (what: string, key: 'cpuMs' | 'latencyMs', budget: number): Row => {
    const ratio = ours[key] / plain[key]
    return {
      figure: `${what} of ${name}, against \`playwright test\``,
      budget: `≤ ${budget}`,
      measured: `${ratio.toFixed(2)} (${ours[key].toFixed(0)} ms, ${plain[key].toFixed(0)} ms)`,
      met: IS_SMOKE ? null : ratio <= budget,
    }
  }
  return [
    row('CPU', 'cpuMs', shape.budgets[way].cpu),
    row('Time from job to end', 'latencyMs', shape.budgets[way].latency),
    {
      figure: `Memory at the peak of ${name}`,
      budget: 'none',
      measured: `${ours.peakMb.toFixed(0)} MB, ${plain.peakMb.toFixed(0)} MB by \`playwright test\``,
      met: null,
    },
    {
      figure: `Runs of ${name} in a minute, ${LANES} at a time, against \`playwright test\``,
      budget: 'none',
      measured: `${(tookMs.command / tookMs[way]).toFixed(1)} × (${rate(tookMs[way])}, ${rate(tookMs.command)})`,
      met: null,
    },
  ]
}

/** What runs are forked from. What one of them has used is known when it was alone. */
async function templateOf(shape: Shape, linked: Browsers, site: string, content: string) {
  const forking = await startForking(shape.hasPages ? linked : null)
  const pid = treeOf(process.pid).find(isTemplate)
  if (pid === undefined) throw new Error('there is no template')
  let cache: JobFile[] = []
  const run = async (): Promise<Measured> => {
    const startedAt = performance.now()
    const watched = watchMemory(pid, { isOnlyBelow: true })
    const events = await forking.run(jobOf(shape, content, site, cache))
    const latencyMs = performance.now() - startedAt
    cache = cacheAfter(events, cache)
    return { cpuMs: Number.NaN, latencyMs, peakMb: watched() }
  }
  const runAlone = async (): Promise<Measured> => {
    const before = cpuOf(pid)
    const measured = await run()
    // It is added to the template's when that has taken notice of its end.
    while (treeOf(pid).length > 1) await pause(5)
    return { ...measured, cpuMs: cpuOf(pid) - before }
  }
  return { run, runAlone, residentMb: () => residentMb([pid]), close: forking.close }
}

function isTemplate(pid: number): boolean {
  try {
    const [command = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return command.endsWith('/node') && args.includes('forked')
  } catch {
    return false
  }
}

const jobOf = (shape: Shape, content: string, site: string, cache: readonly JobFile[]): PlaywrightJob => ({
  is: 'test',
  entry: 'check.spec.ts',
  variables: { SITE: site },
  files: [{ path: 'check.spec.ts', content, encoding: 'utf8' }, ...cache],
  limitMs: 60_000,
  recording: { trace: shape.trace, video: 'off', screenshot: 'off' },
})

/** What a run that found none left for the next ones. @throws Error when it did not pass */
function cacheAfter(events: readonly ScriptEvent[], cache: JobFile[]): JobFile[] {
  if (only(events, 'end')[0]?.status !== 'passed') throw new Error('it did not pass')
  if (cache.length > 0) return cache
  return only(events, 'file').flatMap(({ role, name, no }) => {
    const bytes = only(events, 'data').flatMap((data) => (data.no === no ? [Buffer.from(data.base64, 'base64')] : []))
    const content = Buffer.concat(bytes).toString('base64')
    return role === 'cache' ? [{ path: name, content, encoding: 'base64' as const }] : []
  })
}

/** Milliseconds for all the runs of a turn, each lane taking the next when it is done with one. */
async function timeOf(lanes: readonly (() => Promise<unknown>)[]): Promise<number> {
  const began = performance.now()
  let left = RUNS
  const work = async (run: () => Promise<unknown>) => {
    while (left > 0) {
      left -= 1
      await run()
    }
  }
  await Promise.all(lanes.map(work))
  return performance.now() - began
}

interface Ahead {
  shape: Shape
  content: string
  browsers: string
  compiled: { folder: string; isFilled: boolean }
  site: string
}

function aheadIn(place: string, { shape, content, browsers, compiled, site }: Ahead) {
  let cache: JobFile[] = []
  return async (): Promise<Measured> => {
    const before = cpuOfChildren()
    const inside = new InsideProcess('warm', { browsers, folder: place, compiled })
    await inside.ready()
    const startedAt = performance.now()
    const watched = watchMemory(inside.child.pid)
    const events = await inside.run(jobOf(shape, content, site, cache))
    const latencyMs = performance.now() - startedAt
    cache = cacheAfter(events, cache)
    return { cpuMs: cpuOfChildren() - before, latencyMs, peakMb: watched() }
  }
}

/** The command as anybody would use it: no hooks, and a reporter that does nothing. */
function commandIn(folder: string, content: string, trace: string, browsers: string, site: string) {
  symlinkSync(RUNTIME, join(folder, 'node_modules'))
  const job = join(folder, 'job')
  mkdirSync(job)
  writeFileSync(join(job, 'package.json'), '{}')
  writeFileSync(join(job, 'check.spec.ts'), content)
  const config = { workers: 1, reporter: 'null', use: { trace } }
  writeFileSync(join(job, 'playwright.config.js'), `module.exports = ${JSON.stringify(config)}`)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: job,
    SITE: site,
    PLAYWRIGHT_BROWSERS_PATH: browsers,
    PWTEST_CACHE_DIR: join(folder, 'cache'),
  }
  const command = join(RUNTIME, '@playwright', 'test', 'cli.js')
  return async (): Promise<Measured> => {
    const before = cpuOfChildren()
    const startedAt = performance.now()
    const child = spawn(process.execPath, [command, 'test'], { cwd: job, env, stdio: 'ignore' })
    const watched = watchMemory(child.pid)
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (code !== 0) throw new Error(`the command ended with ${code}`)
    return { cpuMs: cpuOfChildren() - before, latencyMs: performance.now() - startedAt, peakMb: watched() }
  }
}

const compiledBelow = (folder: string, hasPages: boolean) => join(folder, `compiled-${hasPages}`)

async function idle(temporary: string, browsers: string): Promise<Row> {
  const compiled = { folder: compiledBelow(temporary, false), isFilled: false }
  const inside = new InsideProcess('warm', { browsers, compiled })
  try {
    await inside.ready()
    await pause(500)
    const mb = inside.child.pid === undefined ? Number.NaN : residentMb([inside.child.pid])
    return {
      figure: 'Memory of a process that waits for a script',
      budget: `≤ ${IDLE_BUDGET_MB} MB`,
      measured: `${mb.toFixed(0)} MB`,
      met: mb <= IDLE_BUDGET_MB,
    }
  } finally {
    inside.kill()
  }
}

/** CPU milliseconds of processes below this one that have ended and were waited for, with all below them. */
function cpuOfChildren(): number {
  const text = readFileSync('/proc/self/stat', 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** @returns stops, and tells the most that was seen */
function watchMemory(pid: number | undefined, { isOnlyBelow = false } = {}): () => number {
  let most = 0
  const timer = setInterval(() => {
    if (pid === undefined) return
    try {
      most = Math.max(most, residentMb(isOnlyBelow ? treeOf(pid).slice(1) : treeOf(pid)))
    } catch {
      // One of them has just ended.
    }
  }, SAMPLE_EVERY_MS)
  return () => {
    clearInterval(timer)
    return most
  }
}

function medianOf(all: readonly Measured[]): Measured {
  const median = (key: keyof Measured) =>
    all.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
  return { cpuMs: median('cpuMs'), latencyMs: median('latencyMs'), peakMb: median('peakMb') }
}
