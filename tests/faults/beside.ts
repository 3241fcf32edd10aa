/** Checks without scripts, carried out beside others, and how late they were. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { executeRun } from '../../packages/runner/src/execute-run.ts'
import { TroubleWatch } from '../../packages/runner/src/own-trouble.ts'
import { tellsWaiting } from '../../packages/runner/src/scripts/processor.ts'
import { leasedRun, runContext } from '../../packages/runner/src/testing/builders.ts'

const EVERY_MS = 20
/** Earlier than this nobody is late. */
export const LATE_MS = 25

export interface Lateness {
  allMs: number
  /** Without what was waited for a processor since shortly before it was due: that is up to the machine. */
  ownMs: number
}

/** What this thread has waited for a processor so far. */
function waitedMs(): number {
  if (!tellsWaiting()) return 0
  const [, waitedNs] = fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')
  return Number(waitedNs) / 1e6
}

/** How late each of the checks was that fell due every few milliseconds, until told to stop. */
export async function latenessOf(url: string, signal: AbortSignal): Promise<Lateness[]> {
  const tools = { dialer: runContext().dialer, watch: new TroubleWatch() }
  const late: Lateness[] = []
  const blamed: string[] = []
  const carried = new Set<Promise<void>>()
  let before = { at: performance.now(), waitedMs: waitedMs() }
  let latest = before
  for (let dueAt = performance.now(); !signal.aborted; dueAt += EVERY_MS) {
    const sleep = dueAt - performance.now()
    if (sleep > 0) await wait(sleep)
    if (latest.at <= dueAt) before = latest
    latest = { at: performance.now(), waitedMs: waitedMs() }
    const waited = latest.waitedMs - before.waitedMs
    // No report is kept: they would be the memory that grows.
    const one = executeRun(leasedRun({ url }), dueAt, tools).then(({ verdict, error, latenessMs }) => {
      carried.delete(one)
      late.push({ allMs: latenessMs, ownMs: Math.max(0, latenessMs - waited) })
      if (verdict !== 'passed') blamed.push(`${verdict}: ${error}`)
    })
    carried.add(one)
  }
  await Promise.all(carried)
  assert.deepEqual(blamed, [])
  return late
}

export async function target(t: TestContext): Promise<string> {
  const answering = fork(fileURLToPath(new URL('./answering.ts', import.meta.url)))
  t.after(() => answering.kill())
  const [port] = await once(answering, 'message')
  return `http://127.0.0.1:${port}/`
}

export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
}
