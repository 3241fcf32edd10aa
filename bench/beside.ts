/** What runs beside the product, each a process of its own: targets, and the bare operations that checks are compared with. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BareOperation } from './bare-operations.ts'
import { forSeconds, perSecond } from './pace.ts'
import type { Protocol } from './target.ts'

export interface Target {
  port: number
  stop(): void
}

export async function startTarget(protocol: Protocol): Promise<Target> {
  const child = fork(fileURLToPath(new URL('target.ts', import.meta.url)), [protocol])
  const [{ port }] = await once(child, 'message')
  return { port: Number(port), stop: () => child.disconnect() }
}

const SECONDS = 8

/** Microseconds of CPU of one operation, ended processes of its own included. */
export async function measureBare(operation: BareOperation, port: number, rate: number): Promise<number> {
  const options = [operation, port, perSecond(rate), forSeconds(SECONDS)].map(String)
  const child = fork(fileURLToPath(new URL('bare-operations.ts', import.meta.url)), options)
  const [{ good, bad, cpuUs }] = await once(child, 'message')
  if (good === 0 || bad > 0)
    throw new Error(`Of the bare operations (${operation}), ${bad} failed and ${good} did not.`)
  return Number(cpuUs)
}

/** What a bare operation costs before and after some work, in the mean: the weather on a machine changes. */
export async function besideBare<T>(
  operation: BareOperation,
  port: number,
  rate: number,
  work: () => Promise<T>,
): Promise<{ bareUs: number; outcome: T }> {
  const first = await measureBare(operation, port, rate)
  const outcome = await work()
  const second = await measureBare(operation, port, rate)
  return { bareUs: (first + second) / 2, outcome }
}
