/** Runs in forked processes: each is alone in there, with numbers of its own, and nothing of it stays. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { egressPolicy } from '@vedette/core'
import { openEgressProxy } from '../scripts/egress-proxy.ts'
import { ScriptHost } from '../scripts/script-host.ts'
import { runContext } from '../testing/builders.ts'
import { filesLeft, ownTemporaryFolder, playwrightProcessesLeft, playwrightProcessesOf } from '../testing/leftovers.ts'
import { compileForkAddon } from './fork-addon.ts'
import { forkProcess } from './forked-process.ts'
import type { PlaywrightJob } from './job.ts'
import { PlaywrightHost } from './playwright-host.ts'
import { PlaywrightProcess } from './playwright-process.ts'
import { limitsOf, socketIn } from './sandbox.ts'
import { type ForkedRuns, startForking } from './testing/forked-runs.ts'
import { only } from './testing/inside-process.ts'

let forking: ForkedRuns | null = null
let skip: string | false = false
try {
  forking = await startForking(null)
} catch (error) {
  skip = String(error)
}
after(() => forking?.close())

function program(content: string, files: PlaywrightJob['files'] = []): PlaywrightJob {
  const all = [{ path: 'check.cjs', content, encoding: 'utf8' } as const, ...files]
  return { is: 'program', entry: 'check.cjs', files: all, variables: {}, limitMs: 60_000 }
}

/** What a program prints as JSON. */
async function printed(content: string, files: PlaywrightJob['files'] = []): Promise<unknown> {
  assert.ok(forking)
  const events = await forking.run(
    program(`const print = (value) => console.log(JSON.stringify(value))\n${content}`, files),
  )
  const text = only(events, 'output')
    .map(({ text }) => text)
    .join('')
  assert.deepEqual(only(events, 'fault'), [])
  return JSON.parse(text)
}

test('a hundred runs have random numbers of their own', { skip }, async () => {
  const numbers = `const crypto = require('node:crypto')
    print([Math.random(), Math.random(), crypto.randomUUID(), crypto.randomInt(2 ** 40), crypto.randomBytes(8).toString('hex'),
      crypto.getRandomValues(new Uint32Array(2)).join(), crypto.generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).toString('hex')])`
  const told: unknown[] = []
  for (let turn = 0; turn < 25; turn += 1)
    told.push(...(await Promise.all([printed(numbers), printed(numbers), printed(numbers), printed(numbers)])).flat())
  assert.equal(told.length, 700)
  assert.equal(new Set(told).size, 700)
})

test('a run is alone in there, and knows its own number', { skip }, async () => {
  const found = await printed(`const fs = require('node:fs')
    print({ pid: process.pid === Number(fs.readlinkSync('/proc/self')), first: process.pid > 1,
      processes: fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && name !== '1' && name !== String(process.pid)),
      runs: (() => { try { return fs.readdirSync('/runs') } catch (error) { return error.code } })(),
      flags: process.execArgv.filter((flag) => /single-threaded$|v8-pool/.test(flag)),
      folder: fs.readdirSync('/tmp'),
      sockets: fs.readdirSync('/proc/self/fd').map((fd) => { try { return [Number(fd), fs.readlinkSync('/proc/self/fd/' + fd)] } catch { return [] } })
        .filter(([fd, to]) => fd > 4 && /socket|memfd|\\/runs/.test(to)).length <= 3 })`)
  assert.deepEqual(found, {
    ...{ pid: true, first: true, processes: [], runs: 'EACCES', flags: [], folder: [], sockets: true },
  })
})

test('no code that it brings along is loaded', { skip }, async (t) => {
  const folder = ownTemporaryFolder(t)
  const addon = join(folder, 'any.node')
  await compileForkAddon(addon)
  const file = { path: 'any.node', content: readFileSync(addon, 'base64'), encoding: 'base64' } as const
  const load = `try { require('/job/any.node'); 'loaded' } catch (error) { error.code }`
  const told = await printed(
    `const { Worker } = require('node:worker_threads')
     const { spawnSync } = require('node:child_process')
     const here = (() => { try { require('/job/any.node'); return 'loaded' } catch (error) { return error.code } })()
     const there = "try { require('/job/any.node'); console.log('loaded') } catch (error) { console.log(/map segment|permitted/.test(error.message)) }"
     const child = spawnSync(process.execPath, ['-e', there]).stdout.toString().trim()
     const program = spawnSync('/job/any.node').error?.code
     new Worker("const { parentPort } = require('node:worker_threads'); parentPort.postMessage((() => { try { require('/job/any.node'); return 'loaded' } catch (error) { return /map segment|permitted/.test(error.message) } })())", { eval: true })
       .on('message', (worker) => print({ here, child, program, worker }))`,
    [file],
  )
  assert.deepEqual(told, { here: 'ERR_DLOPEN_DISABLED', child: 'true', program: 'EACCES', worker: true }, load)
})

test('how it ends is told: with its code, and after those who listen for the end', { skip }, async () => {
  assert.ok(forking)
  const events = await forking.run(program(`setTimeout(() => process.exit(7), 1)`))
  assert.equal(only(events, 'end')[0]?.code, 7)
  const quiet = await forking.run(program(`setTimeout(() => { process.exitCode = 3 }, 1)`))
  assert.equal(only(quiet, 'end')[0]?.code, 3)
  await assert.rejects(
    forking.run(program(`process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)`)),
    /SIGSEGV/,
  )
  await assert.rejects(forking.run(program(`process.reallyExit(5)`)), /exit code 5/)
})

test('it waits until it is in its control group, which is told its number on this machine', { skip }, async (t) => {
  assert.ok(forking)
  const { template } = forking
  const place = await template.makePlace()
  const proxy = await openEgressProxy(socketIn(place), runContext({ egress: egressPolicy('check-built-in') }).dialer)
  t.after(() => proxy.close())
  const numbers: string[] = []
  const group = {
    add: async (pid: number) => {
      numbers.push(/^NSpid:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '')
    },
    outOfMemory: async () => null,
    close: async () => {},
  }
  const process = new PlaywrightProcess({
    launch: (hearer, limits) => forkProcess({ template, place, limits, isGated: true }, hearer),
    ...{ limits: limitsOf({ hasPages: false }), group, mayStray: false, hear: () => {} },
  })
  await process.ready()
  assert.equal(numbers.length, 1)
  assert.match(numbers[0] ?? '', /\t1$/)
  assert.equal(await process.run(program('')), null)
})

test('with the template its runs end, and leave nothing', { skip }, async (t) => {
  const folder = ownTemporaryFolder(t)
  const own = await startForking(null)
  const runs = [1, 2].map(() =>
    own.run(
      program(`require('node:child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
        setInterval(() => {}, 1000)`),
    ),
  )
  const over = Promise.allSettled(runs)
  while (playwrightProcessesOf(folder).length < 9) await new Promise((resolve) => setTimeout(resolve, 10))
  await own.close()
  for (const end of await over) assert.equal(end.status, 'rejected')
  await playwrightProcessesLeft(folder, 0)
  assert.deepEqual(filesLeft(folder), [])
})

test('where nothing can be forked, runs are started as ever, and the log says why', async (t) => {
  ownTemporaryFolder(t)
  const lines: string[] = []
  const log = (_: string, line: string) => lines.push(line)
  const scripts = new ScriptHost({ log, allowReduced: true, level: 'reduced' })
  const { dialer } = runContext({ egress: egressPolicy('check-built-in') })
  const host = new PlaywrightHost({ log, scripts, dialer, concurrency: 1, engine: 'forked' })
  t.after(() => host.close())
  const wanted = { runtimeId: '2025.04', hasPages: false } as const
  const end = await host.run(wanted, program('console.log(1)'))
  assert.equal(end.problem, null)
  assert.equal(end.run.runtime.engine, 'warm')
  assert.equal(await host.forks(wanted), false)
  assert.match(lines.join('\n'), /scripts are not forked: that needs the isolation level "strict"/)
})
