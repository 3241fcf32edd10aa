/**
 * The installation's own runner: a child process that signs in over HTTP as any other runner does. It is started
 * again when it ends, and it ends when this process does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Log } from '../log.ts'

export interface BuiltInRunnerOptions {
  /** The runner's main file. */
  mainFile: string
  serverUrl: string
  key: string
  name: string
  egressAllow: readonly string[]
  egressDeny: readonly string[]
  controlTargets: readonly string[]
  controlNames: readonly string[]
  logLevel: string
  scriptIsolation: string
  scriptEngine: string
  scriptConcurrency: number | null
  chromiumPath: string | null
  log: Log
  /** Called when it has ended without being told to, before it is started again. */
  onLost(): Promise<void>
}

const STOP_WITHIN_MS = 35_000
const RESTART_MS = [100, 500, 2000, 5000, 10_000]
/** A runner that lived this long was well: the next restart is quick again. */
const WELL_AFTER_MS = 30_000

export function startBuiltInRunner(options: BuiltInRunnerOptions): {
  pid(): number | undefined
  stop(): Promise<void>
} {
  const { log } = options
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let restarts = 0

  const start = () => {
    const startedAt = performance.now()
    const running = spawn(process.execPath, [options.mainFile], {
      env: environment(options),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = running
    running.on('error', (error) => log.error('The built-in runner cannot be started', { error }))
    running.on('exit', (code, signal) => {
      child = undefined
      if (stopped) return
      if (performance.now() - startedAt > WELL_AFTER_MS) restarts = 0
      const wait = RESTART_MS[Math.min(restarts, RESTART_MS.length - 1)] ?? 0
      restarts += 1
      log.warn('The built-in runner ended and is started again', { code, signal, inMs: wait })
      options
        .onLost()
        .catch((error: unknown) => log.warn('What the lost runner held is taken back later', { error }))
        .finally(() => {
          if (!stopped) timer = setTimeout(start, wait)
        })
    })
  }

  start()
  return {
    pid: () => child?.pid,
    async stop() {
      stopped = true
      clearTimeout(timer)
      const running = child
      if (running === undefined) return
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
      running.kill('SIGTERM')
      const late = setTimeout(() => running.kill('SIGKILL'), STOP_WITHIN_MS)
      await ended
      clearTimeout(late)
    },
  }
}

/** Built from nothing: the runner knows its own key and nothing of ours. */
function environment(options: BuiltInRunnerOptions): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    SERVER_URL: options.serverUrl,
    API_KEY: options.key,
    RUNNER_NAME: options.name,
    RUNNER_PARENT: '1',
    EGRESS_POLICY: 'check-built-in',
    EGRESS_ALLOW: options.egressAllow.join(','),
    EGRESS_DENY: options.egressDeny.join(','),
    CONTROL_TARGETS: options.controlTargets.join(','),
    CONTROL_NAMES: options.controlNames.join(','),
    SCRIPT_ISOLATION: options.scriptIsolation,
    SCRIPT_ENGINE: options.scriptEngine,
    SCRIPT_CONCURRENCY: String(options.scriptConcurrency ?? ''),
    CHROMIUM_PATH: options.chromiumPath ?? '',
    RUNTIMES_DIR: process.env.RUNTIMES_DIR ?? '',
    // It is part of this server: what goes well is not worth a line of its own.
    LOG_LEVEL: options.logLevel === 'info' ? 'WARN' : options.logLevel.toUpperCase(),
  }
}
