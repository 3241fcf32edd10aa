/** Checks without scripts, carried out beside others, and how late they were. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { executeRun } from '../../packages/runner/src/execute-run.ts'
import { TroubleWatch } from '../../packages/runner/src/own-trouble.ts'
import { leasedRun, portOf, runContext } from '../../packages/runner/src/testing/builders.ts'

const EVERY_MS = 20
/** Earlier than this nobody is late, however idle the machine is without scripts. */
export const LATE_MS = 25

/** Late by so many milliseconds: each of the checks that fell due every few of them, until told to stop. */
export async function carryOut(url: string, signal: AbortSignal): Promise<number[]> {
  const tools = { dialer: runContext().dialer, watch: new TroubleWatch() }
  const late: number[] = []
  const blamed: string[] = []
  const carried = new Set<Promise<void>>()
  for (let dueAt = performance.now(); !signal.aborted; dueAt += EVERY_MS) {
    const sleep = dueAt - performance.now()
    if (sleep > 0) await wait(sleep)
    // No report is kept: they would be the memory that grows.
    const one = executeRun(leasedRun({ url }), dueAt, tools).then(({ verdict, error, latenessMs }) => {
      carried.delete(one)
      late.push(latenessMs)
      if (verdict !== 'passed') blamed.push(`${verdict}: ${error}`)
    })
    carried.add(one)
  }
  await Promise.all(carried)
  assert.deepEqual(blamed, [])
  return late
}

export async function target(t: TestContext): Promise<string> {
  const server = http.createServer((_, response) => response.end('ok'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${portOf(server)}/`
}

export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
}
