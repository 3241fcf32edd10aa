/**
 * The process from which runs are forked, and what a forked one needs before it is like any other: see `native/fork.c`.
 * Nothing but our own code and Playwright's has been loaded by then: no file, secret or setting of anybody.
 */
import crypto from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Primer } from './prime.ts'
import { say } from './say.ts'
import { TEMPLATE_FLAGS } from './template-flags.ts'

/** Where the runner keeps what is of runs and of no run; a run does not see it. */
const RUNS = '/runs'
const ORDERS_FD = 3
const TIMES = 3

/** What a template does first. */
export const primerHere = (): Primer => JSON.parse(readFileSync(join(RUNS, 'primer.json'), 'utf8'))

export interface ForkLimits {
  hasPages: boolean
  bytes: number
  tasks: number
  jobSize: number
  scratchSize: number
  sharedSize: number
}

interface Addon {
  wait(orders: number, filter: Buffer, limits: ForkLimits): boolean
  exit(code: number): never
}

/** Comes back in a process of a run, and only there. */
export async function forkForARun(): Promise<void> {
  const addonPath = join(RUNS, 'fork.node')
  const require = createRequire(addonPath)
  const addon: Addon = require(addonPath)
  const filter = readFileSync(join(RUNS, 'filter'))
  const limits: ForkLimits = JSON.parse(readFileSync(join(RUNS, 'limits.json'), 'utf8'))
  // Two processes at one socket or timer would both be woken by it: everything has to be closed.
  await new Promise((resolve) => process.once('beforeExit', resolve))
  collectGarbage()
  say({ is: 'ready' })
  if (!addon.wait(ORDERS_FD, filter, limits)) process.exit(0)

  delete require.cache[addonPath]
  endBy(addon.exit)
  Object.defineProperty(process, 'pid', { ...ownPid(), enumerable: true, configurable: true })
  // Further processes are like those of any other run.
  Reflect.set(
    process,
    'execArgv',
    process.execArgv.filter((flag) => !TEMPLATE_FLAGS.includes(flag)),
  )
  // No addon can be forbidden in a process that needs one; whatever is written is mounted so that it is no code either.
  Reflect.set(process, 'dlopen', () => {
    throw Object.assign(new Error('Cannot load native addon because loading addons is disabled.'), {
      code: 'ERR_DLOPEN_DISABLED',
    })
  })
  Reflect.set(Math, 'random', freshRandom())
}

/** A run that moved what all have, or threw away what all have left, would have to copy it first. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof gc === 'function')
    for (let time = 0; time < TIMES; time += 1) gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

const ownPid = () => ({ value: Number(readlinkSync('/proc/self')) })

/** Node.js would join threads that only the template has. Whoever wants to hear of the end is heard first, as always. */
function endBy(exit: (code: number) => never): void {
  Reflect.set(process, 'reallyExit', exit)
  const last = (code: number) => {
    for (const listener of process.listeners('exit')) if (listener !== last) listener.call(process, code)
    exit(Number(process.exitCode ?? code))
  }
  process.on('exit', last)
}

/** All of them would go on in the same row. */
function freshRandom(): () => number {
  const { randomFillSync } = crypto
  const pool = new Uint32Array(256)
  let next = pool.length
  return function random() {
    if (next === pool.length) {
      randomFillSync(pool)
      next = 0
    }
    const high = (pool[next] ?? 0) >>> 5
    const low = (pool[next + 1] ?? 0) >>> 6
    next += 2
    return (high * 2 ** 26 + low) / 2 ** 53
  }
}
