/** Targets that are well or down, a name server and controls that can be broken, and runs between them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Verdict } from '@vedette/schema'
import { executeRun } from '../../packages/runner/src/execute-run.ts'
import { TroubleWatch, type TroubleWatchOptions } from '../../packages/runner/src/own-trouble.ts'
import { Dialer } from '../../packages/runner/src/probes/http/dialer.ts'
import { Names } from '../../packages/runner/src/probes/http/names.ts'
import { builtIn, leasedRun, listen, portOf } from '../../packages/runner/src/testing/builders.ts'
import { type DnsAnswer, startDnsServer } from '../../packages/runner/src/testing/dns-server.ts'

export interface Told {
  verdicts: Verdict[]
  errors: string[]
}

export interface Asked {
  url: string
  runs: number
  limitMs: number
  ipFamily?: 'IPv4' | 'IPv6'
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'
/** Runs at the same time: as many as a runner may have in hand. */
const AT_ONCE = 100

export interface Scene {
  /** Names of ours lead to loopback, and others nowhere, while nothing is broken. */
  well: string
  /** Nobody listens there. */
  down: string
  watch: TroubleWatch
  breakResolver(answer: DnsAnswer | null): void
  /** Targets keep silent and the control target is gone: what a dead uplink looks like from here. */
  cutOff(is: boolean): Promise<void>
  run(url: string, runs: number, options?: { limitMs?: number; during?: () => void }): Promise<Told>
}

export async function setScene(t: TestContext, options: TroubleWatchOptions = {}): Promise<Scene> {
  let broken: DnsAnswer | null = null
  let isCut = false
  const nameServer = await startDnsServer(t, (name) => broken ?? (name.endsWith('.test') ? ['127.0.0.1'] : 3))
  const port = await listen(t, (socket) =>
    socket.once('data', () => {
      if (!isCut) setTimeout(() => socket.end(OK), 20)
    }),
  )
  const control = net.createServer((socket) => socket.on('error', () => {}).end())
  const open = async (at: number) => {
    control.listen(at, '127.0.0.1')
    await once(control, 'listening')
  }
  await open(0)
  const controlPort = portOf(control)
  t.after(() => control.close())
  const names = new Names({ servers: [nameServer] })
  const watch = new TroubleWatch({
    targets: [{ host: '127.0.0.1', port: controlPort }],
    controlNames: ['control.test'],
    names,
    ...options,
  })
  watch.start()
  t.after(() => watch.stop())
  const dialer = new Dialer(names, builtIn)
  return {
    well: `http://well.test:${port}/`,
    down: 'http://down.test:1/',
    watch,
    breakResolver(answer) {
      broken = answer
    },
    async cutOff(is) {
      isCut = is
      if (!is) return open(controlPort)
      await new Promise((resolve) => control.close(resolve))
    },
    async run(url, runs, { limitMs = 5000, during } = {}) {
      const told: Told = { verdicts: [], errors: [] }
      while (told.verdicts.length < runs) {
        const now = Math.min(AT_ONCE, runs - told.verdicts.length)
        const going = Array.from({ length: now }, () =>
          executeRun(leasedRun({ url }), performance.now(), { dialer, watch, limitsMs: { API: limitMs } }),
        )
        during?.()
        for (const { verdict, error } of await Promise.all(going)) {
          told.verdicts.push(verdict)
          told.errors.push(error ?? '')
        }
      }
      return told
    },
  }
}

export function count({ verdicts }: Told): { passed: number; failed: number; error: number } {
  const of = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
  return { passed: of('passed'), failed: of('failed') + of('degraded'), error: of('error') }
}

/** A runner’s executing part in a process of its own, started by a command such as `ip netns exec one`. */
export function startAlone(t: TestContext, command: readonly string[]): (asked: Asked) => Promise<Told> {
  const script = fileURLToPath(new URL('run-alone.ts', import.meta.url))
  const [program = process.execPath, ...rest] = [...command, process.execPath, script]
  const child: ChildProcess = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('The process has no input or output')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return async (asked) => {
    stdin.write(`${JSON.stringify(asked)}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error('The process has ended')
    return JSON.parse(value)
  }
}

export function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
