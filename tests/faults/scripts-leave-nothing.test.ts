/**
 * Scripts that mean harm and scripts that do not, two at a time, in a runner that has checks without any to carry out:
 * nothing of them is left, and the others are on time, but for what they wait for a processor: how long that is, is up to the
 * machine and whoever else is busy on it. `FAULT_ROUNDS=84` makes it more than 1,000 scripts and looks at the
 * memory of the runner as well, which takes so many to tell anything.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { egressPolicy } from '../../packages/core/src/index.ts'
import { tellsWaiting } from '../../packages/runner/src/scripts/processor.ts'
import { ScriptHost } from '../../packages/runner/src/scripts/script-host.ts'
import { attacks, jobOf } from '../../packages/runner/src/testing/attacks.ts'
import { runContext } from '../../packages/runner/src/testing/builders.ts'
import { filesLeft, ownTemporaryFolder, processesLeft } from '../../packages/runner/src/testing/leftovers.ts'
import { LATE_MS, latenessOf, p99, target } from './beside.ts'
import { chance, ROUNDS, SEED } from './chance.ts'

const RUNS = ROUNDS * 12
const AT_ONCE = 2
const LIMIT_MS = 500
/** Enough scripts to tell a leak from the noise of collecting garbage. */
const LONG = 1000
const WARM_UP = 0.3
const GARBAGE_EVERY = 20
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** What a script has to be given to hurt anybody is not there: these need nothing but themselves. */
const HOSTILE = attacks.filter(({ script, from }) => from === undefined && !/PORT|SOCKET|RUNNER|REDIRECT/.test(script))
const FRIENDLY = [
  'request.body = "well"',
  'const { v4 } = require("uuid"); request.body = v4()',
  'await new Promise((resolve) => setTimeout(resolve, 50)); process.env.TOKEN = "made"',
]

test(`${RUNS} scripts, most of them hostile, leave nothing behind and keep nobody waiting`, async (t) => {
  const folder = ownTemporaryFolder(t)
  const groupsBefore = scriptGroups()
  const host = new ScriptHost({ log: () => {}, allowReduced: true, limitMs: LIMIT_MS })
  const level = await host.level()
  if (level === null) return t.skip('no script can run here')
  const url = await target(t)
  const { dialer } = runContext({ egress: egressPolicy('check-private-location') })

  const withoutScripts = () => latenessOf(url, AbortSignal.timeout(Math.min(20_000, 50 * ROUNDS + 1500)))
  const before = await withoutScripts()
  const random = chance(SEED)
  const memory: number[] = []
  const over = new AbortController()
  const busy = latenessOf(url, over.signal)
  let begun = 0
  let ours = 0
  let kept = 0
  const work = async () => {
    while (begun < RUNS) {
      begun += 1
      const scripts = random() < 0.75 ? HOSTILE.map(({ script }) => script) : FRIENDLY
      const end = await host.run(jobOf(scripts[Math.floor(random() * scripts.length)] ?? ''), dialer)
      // A machine that is busy with other things may keep any of them from its time, and says so.
      const isKept = end !== null && 'problem' in end && /for a processor$/.test(end.problem)
      if (isKept) kept += 1
      else if (end === null || ('problem' in end && end.ours)) ours += 1
      if (RUNS < LONG || begun % GARBAGE_EVERY !== 0) continue
      collectGarbage()
      memory.push(process.memoryUsage.rss())
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  over.abort()
  const late = await busy
  const after = await withoutScripts()

  await processesLeft(folder, 0)
  assert.deepEqual(filesLeft(folder), [])
  assert.deepEqual(scriptGroups(), groupsBefore)
  assert.equal(ours, 0)
  const quiet = [...before, ...after]
  const own = { quiet: p99(quiet.map(({ ownMs }) => ownMs)), busy: p99(late.map(({ ownMs }) => ownMs)) }
  const all = { quiet: p99(quiet.map(({ allMs }) => allMs)), busy: p99(late.map(({ allMs }) => allMs)) }
  const drift = driftOf(memory)
  t.diagnostic(
    `${RUNS} scripts at "${level}" (seed ${SEED}): processes, files and groups left 0, kept from their time ${kept}; lateness p99 of ` +
      `${late.length} other checks ${all.busy.toFixed(1)} ms, without waiting for a processor ${own.busy.toFixed(1)} ms; ` +
      `without scripts ${all.quiet.toFixed(1)} and ${own.quiet.toFixed(1)} ms` +
      (RUNS < LONG
        ? ''
        : `; memory ${Math.round((memory.at(-1) ?? 0) / 1024 / 1024)} MiB, drift ${(drift * 100).toFixed(1)} %`),
  )
  // Where the kernel does not tell, what a busy machine adds is in it.
  const mostMs = Math.max(2 * own.quiet, tellsWaiting() ? LATE_MS : 10 * LATE_MS)
  assert.ok(own.busy <= mostMs, `${own.busy} ms late, without scripts ${own.quiet} ms`)
  if (RUNS >= LONG) assert.ok(drift <= 0.05, `memory has grown by ${(drift * 100).toFixed(1)} %`)
})

/** Of the memory in the last quarter over that in the first one after the warm-up: medians, which garbage moves little. */
function driftOf(memory: readonly number[]): number {
  const warm = memory.slice(Math.floor(memory.length * WARM_UP))
  const quarter = Math.ceil(warm.length / 4)
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1
  return median(warm.slice(-quarter)) / median(warm.slice(0, quarter)) - 1
}

/** Control groups of this process's scripts, wherever they are. */
function scriptGroups(): string[] {
  const found: string[] = []
  const look = (folder: string, depth: number) => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      if (entry.name.startsWith(`vedette-script-${process.pid}-`)) found.push(entry.name)
      if (depth > 0) look(join(folder, entry.name), depth - 1)
    }
  }
  if (fs.existsSync('/sys/fs/cgroup')) look('/sys/fs/cgroup', 4)
  return found
}
