/** Runs scripts of users, each in a process of its own that is gone when this is done with it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import type { Dialer } from '../probes/http/dialer.ts'
import { openEgressProxy } from './egress-proxy.ts'
import { ISOLATION_LEVELS, type IsolationLevel, isInstalled, launchAt, NO_ISOLATION } from './isolation.ts'
import type { ScriptJob } from './script-job.ts'
import { runProcess, type ScriptEnd } from './script-process.ts'

export interface ScriptHostOptions {
  log: Log
  /** Whether scripts may run where the machine cannot keep them from it. */
  allowReduced: boolean
  /** Instead of what is found. */
  level?: IsolationLevel
  limitMs?: number
}

export const SCRIPT_LIMIT_MS = 10_000

interface Way {
  level: IsolationLevel
  apart: boolean
}

export class ScriptHost {
  readonly #options: ScriptHostOptions
  #way: Promise<Way | null> | null = null

  constructor(options: ScriptHostOptions) {
    this.#options = options
  }

  /** The level at which scripts run here; null: they do not. Found when first asked for. */
  async level(): Promise<IsolationLevel | null> {
    return (await this.#found())?.level ?? null
  }

  /** Null when there is no isolation to run it in. Ends within the limit, whatever the script does. */
  async run(job: ScriptJob, dialer: Dialer): Promise<ScriptEnd | null> {
    const way = await this.#found()
    return way === null ? null : this.#runAt(way, job, dialer)
  }

  #found(): Promise<Way | null> {
    this.#way ??= this.#find()
    return this.#way
  }

  async #find(): Promise<Way | null> {
    const { log, allowReduced, level: wanted } = this.#options
    const tools: Record<IsolationLevel, string[]> = {
      strict: ['prlimit', 'bwrap'],
      namespaces: ['prlimit', 'setpriv', 'unshare'],
      reduced: ['prlimit', 'setpriv'],
    }
    const isRoot = process.getuid?.() === 0
    for (const level of ISOLATION_LEVELS) {
      if (wanted !== undefined && level !== wanted) continue
      if (level === 'reduced' && !allowReduced) continue
      const missing = tools[level].filter((tool) => !isInstalled(tool))
      if (missing.length > 0) {
        log('INFO', `scripts cannot run at the level "${level}": ${missing.join(', ')} not installed`)
        continue
      }
      for (const apart of isRoot ? [true, false] : [false]) {
        const problem = await this.#problemAt({ level, apart })
        if (problem === null) {
          log(level === 'strict' ? 'INFO' : 'WARN', `scripts run at the isolation level "${level}"`)
          return { level, apart }
        }
        log('INFO', `scripts cannot run at the level "${level}"${apart ? ' as another user' : ''}: ${problem}`)
      }
    }
    log('WARN', NO_ISOLATION)
    return null
  }

  async #problemAt(way: Way): Promise<string | null> {
    const request = { method: 'GET' as const, url: 'http://h/', body: '', headers: {}, queryParameters: {} }
    const script = way.level === 'reduced' ? '' : PROOF
    const job = { script, snippets: [], variables: {}, request, response: null }
    const end = await this.#runAt(way, job, NOWHERE)
    return 'problem' in end ? end.problem : null
  }

  async #runAt(way: Way, job: ScriptJob, dialer: Pick<Dialer, 'addressOf'>): Promise<ScriptEnd> {
    const folder = await mkdtemp(join(tmpdir(), 'vedette-script-'))
    try {
      // Whoever the script runs as may pass, and nobody may look.
      await chmod(folder, 0o711)
      const socket = join(folder, 'egress.sock')
      const proxy = await openEgressProxy(socket, dialer)
      try {
        const launch = launchAt(way.level, socket, way.apart)
        const end = await runProcess(launch, job, this.#options.limitMs ?? SCRIPT_LIMIT_MS)
        return { ...end, log: [...end.log, ...proxy.refusals].sort((a, b) => a.time - b.time) }
      } finally {
        proxy.close()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

const NOWHERE = { addressOf: () => Promise.reject(new Error('nothing can be reached')) }

/** What has to hold in namespaces: it sees neither the networks of the machine nor its processes. */
const PROOF = `
const interfaces = Object.keys(process.getBuiltinModule('os').networkInterfaces())
if (interfaces.some((name) => name !== 'lo')) throw new Error('the networks of this machine can be seen')
if (process.pid > 100) throw new Error('the processes of this machine can be seen')
`
