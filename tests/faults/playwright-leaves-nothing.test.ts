/**
 * Scripts of Playwright that mean harm and such that do not, two at a time, with and without pages, in a runner that has
 * other checks to carry out: nothing of them is left. And a runner that is killed in the middle of one. `FAULT_ROUNDS=168`
 * makes it 504 scripts, `FAULT_ENGINE=forked` forks them.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ScriptEngine } from '@vedette/schema'
import { egressPolicy } from '../../packages/core/src/index.ts'
import { PlaywrightHost } from '../../packages/runner/src/playwright/playwright-host.ts'
import { jobOf } from '../../packages/runner/src/playwright/run-files.ts'
import { sweepFolders } from '../../packages/runner/src/scripts/own-folders.ts'
import { tellsWaiting } from '../../packages/runner/src/scripts/processor.ts'
import { ScriptHost } from '../../packages/runner/src/scripts/script-host.ts'
import { runContext } from '../../packages/runner/src/testing/builders.ts'
import { filesLeft, ownTemporaryFolder, playwrightProcessesLeft } from '../../packages/runner/src/testing/leftovers.ts'
import { ruins } from '../../packages/runner/src/testing/script-attacks.ts'
import { LATE_MS, latenessOf, p99, target } from './beside.ts'
import { chance, ROUNDS, SEED } from './chance.ts'

const RUNS = ROUNDS * 3
const AT_ONCE = 2
const LIMIT_MS = 1000
const MEBIBYTE = 1024 * 1024
const ENGINE = process.env.FAULT_ENGINE === 'forked' ? 'forked' : 'warm'
const HOSTILE = ruins.filter(({ from }) => from === undefined)
const FRIENDLY = [
  { hasPages: false, body: 'async () => {}' },
  { hasPages: false, body: `async () => { require('node:child_process').spawn('sleep', ['1000']) }` },
  { hasPages: true, body: `async ({ page }) => { await page.goto('data:text/html,<h1>Hello</h1>') }` },
]
const friendly = (body: string) => `const { test } = require('@playwright/test'); test('well', ${body})`
const recording = { trace: 'on', video: 'off', screenshot: 'on' } as const

test(`${RUNS} scripts of Playwright, half of them hostile, leave nothing behind`, async (t) => {
  // It lives as long as the test, and must not look like something that a script has left.
  const url = await target(t)
  const folder = ownTemporaryFolder(t)
  const lines: string[] = []
  const log = (_: string, line: string) => lines.push(line)
  const scripts = new ScriptHost({ log, allowReduced: true })
  const level = await scripts.level()
  if (level === null) return t.skip('no script can run here')
  const { dialer } = runContext({ egress: egressPolicy('check-private-location') })
  const limits = { bytes: 800 * MEBIBYTE, tasks: 300, processors: 2 }
  const engine = ENGINE
  const host = new PlaywrightHost({ log, scripts, dialer, concurrency: AT_ONCE, limits, waitsMs: 600_000, engine })
  t.after(() => host.close())
  const hasBrowser = (await host.browser('2025.04')) !== null
  if (ENGINE === 'forked') {
    const kinds = (hasBrowser ? [true, false] : [false]).map(
      (hasPages) => ({ runtimeId: '2025.04', hasPages }) as const,
    )
    const forks = await Promise.all(kinds.map((kind) => host.forks(kind)))
    if (forks.includes(false)) return t.skip(lines.join('; '))
  }
  const before = await latenessOf(url, AbortSignal.timeout(1500))
  const random = chance(SEED)
  const over = new AbortController()
  const busy = latenessOf(url, over.signal)
  let begun = 0
  let kept = 0
  const bad: string[] = []
  const by: Record<ScriptEngine, number> = { warm: 0, forked: 0, plain: 0 }
  const work = async () => {
    while (begun < RUNS) {
      begun += 1
      const isHostile = random() < 0.5
      const from = (isHostile ? HOSTILE : FRIENDLY).filter(({ hasPages }) => hasPages !== true || hasBrowser)
      const one = from[Math.floor(random() * from.length)] ?? assert.fail()
      const hasPages = one.hasPages === true
      const script = 'script' in one ? one.script : friendly(one.body)
      const settings = { script, scriptPath: 'a.spec.js', dependencies: [] }
      const limitMs = isHostile ? LIMIT_MS : 120_000
      const job = jobOf({ settings, variables: [], snippets: [], recording, limitMs })
      const wanted = { runtimeId: '2025.04', hasPages } as const
      if (random() < 0.3) host.prepare(wanted)
      const { problem, run } = await host.run(wanted, job)
      by[run.runtime.engine] += 1
      const how = problem?.text ?? run.status
      // A machine that is busy with other things may keep any of them from its time, and says so.
      if (/ for a processor$/.test(how)) kept += 1
      else if (problem?.ours === true || (!isHostile && how !== 'passed')) bad.push(`${script}: ${how}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  over.abort()
  const late = await busy
  await host.close()
  const closedAt = performance.now()
  await playwrightProcessesLeft(folder, 0)
  const goneMs = Math.round(performance.now() - closedAt)
  assert.deepEqual(filesLeft(folder), [])
  assert.deepEqual(bad, [])
  if (ENGINE === 'forked') assert.ok(by.forked > RUNS / 2, `${by.forked} of ${RUNS} were forked: ${lines.join('; ')}`)
  const own = { quiet: p99(before.map(({ ownMs }) => ownMs)), busy: p99(late.map(({ ownMs }) => ownMs)) }
  t.diagnostic(
    `${RUNS} scripts at "${level}" (${ENGINE}: ${by[ENGINE]}, seed ${SEED}): processes, folders and sockets left 0 after ${goneMs} ms, kept from their time ${kept}; lateness p99 of ` +
      `${late.length} other checks ${p99(late.map(({ allMs }) => allMs)).toFixed(1)} ms, without waiting for a processor ${own.busy.toFixed(1)} ms; ` +
      `without scripts ${own.quiet.toFixed(1)} ms`,
  )
  // What a script says is read in pieces, and thousands of its lines looked at at once.
  const mostMs = Math.max(2 * own.quiet, (tellsWaiting() ? 2 : 10) * LATE_MS)
  assert.ok(own.busy <= mostMs, `${own.busy} ms late, without scripts ${own.quiet} ms`)
})

test('nothing of a run survives its runner, and the next one removes its folders', async (t) => {
  const folder = ownTemporaryFolder(t)
  const runner = fork(join(import.meta.dirname, 'playwright-runner.ts'))
  t.after(() => runner.kill('SIGKILL'))
  const [said] = await once(runner, 'message')
  if (said !== 'found') return t.skip(String(said))
  // What it opens last is its page, which then does not come to an end.
  await once(runner, 'message')
  assert.ok(filesLeft(folder).length > 0)
  runner.kill('SIGKILL')
  await once(runner, 'exit')
  await playwrightProcessesLeft(folder, 0)
  assert.equal(await sweepFolders(), 2)
  assert.deepEqual(filesLeft(folder), [])
})
