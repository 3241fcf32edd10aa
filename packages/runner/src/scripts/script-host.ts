/** Runs scripts of users, each in a process of its own that is gone when this is done with it. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ISOLATION_LEVELS, type Isolation, type IsolationLayer, type IsolationLevel } from '@vedette/schema'
import type { Log } from '../log.ts'
import type { Dialer } from '../probes/http/dialer.ts'
import { findScriptGroups, type ScriptGroup, type ScriptGroups } from './control-group.ts'
import { openEgressProxy } from './egress-proxy.ts'
import { isInstalled, launchAt, NO_ISOLATION, type Way } from './isolation.ts'
import { makeFolder } from './own-folders.ts'
import type { ScriptJob } from './script-job.ts'
import { runProcess, type ScriptEnd } from './script-process.ts'
import { seccompFilter } from './seccomp.ts'

export interface ScriptHostOptions {
  log: Log
  /** Whether scripts may run where the machine cannot keep them from it. */
  allowReduced: boolean
  /** Instead of what is found. */
  level?: IsolationLevel
  limitMs?: number
  /** Instead of this machine's, as Node.js names it. */
  architecture?: string
  /** Instead of those that are found; null: none. */
  groups?: ScriptGroups | null
}

export const SCRIPT_LIMIT_MS = 10_000
/** Of the script that tries a level: a machine that is busy at the start is not for that reason a weak one. */
const TRIAL_LIMIT_MS = 30_000

export interface Found extends Way {
  groups: ScriptGroups | null
}

export class ScriptHost {
  readonly #options: ScriptHostOptions
  #way: Promise<Found | null> | null = null
  #isolation: Isolation | null = null

  constructor(options: ScriptHostOptions) {
    this.#options = options
  }

  /** The level at which scripts run here; null: they do not. Found when first asked for. */
  async level(): Promise<IsolationLevel | null> {
    return (await this.#found())?.level ?? null
  }

  /** How processes are started at that level; null: they are not. */
  way(): Promise<Found | null> {
    return this.#found()
  }

  /** What has been found; null until then. */
  get isolation(): Isolation | null {
    return this.#isolation
  }

  /** Null when there is no isolation to run it in. Ends within the limit, whatever the script does. */
  async run(job: ScriptJob, dialer: Dialer): Promise<ScriptEnd | null> {
    const way = await this.#found()
    return way === null ? null : this.#runAt(way, job, dialer, this.#options.limitMs ?? SCRIPT_LIMIT_MS)
  }

  #found(): Promise<Found | null> {
    this.#way ??= this.#find().then((way) => {
      this.#isolation = isolationOf(way)
      return way
    })
    return this.#way
  }

  async #find(): Promise<Found | null> {
    const { log, allowReduced, level: wanted } = this.#options
    const tools: Record<IsolationLevel, string[]> = {
      strict: ['prlimit', 'bwrap'],
      namespaces: ['prlimit', 'setpriv', 'unshare'],
      reduced: ['prlimit', 'setpriv'],
    }
    const groups = await this.#groups()
    for (const level of ISOLATION_LEVELS) {
      if (wanted !== undefined && level !== wanted) continue
      if (level === 'reduced' && !allowReduced) continue
      const missing = tools[level].filter((tool) => !isInstalled(tool))
      if (missing.length > 0) {
        log('INFO', `scripts cannot run at the level "${level}": ${missing.join(', ')} not installed`)
        continue
      }
      for (const way of this.#waysAt(level, groups)) {
        const problem = await this.#problemAt(way)
        if (problem === null) {
          log(level === 'strict' ? 'INFO' : 'WARN', `scripts run at the isolation level ${inWords(way)}`)
          return way
        }
        log('INFO', `scripts cannot run at the level ${inWords(way)}: ${problem}`)
      }
    }
    log('WARN', NO_ISOLATION)
    return null
  }

  async #groups(): Promise<ScriptGroups | null> {
    const { log, groups } = this.#options
    if (groups !== undefined) return groups
    return findScriptGroups().catch((error: Error) => {
      log('INFO', `scripts run without control groups of their own: ${error.message}`)
      return null
    })
  }

  /** The best first. */
  #waysAt(level: IsolationLevel, groups: ScriptGroups | null): Found[] {
    const { architecture = process.arch, log } = this.#options
    const aparts = process.getuid?.() === 0 ? [true, false] : [false]
    const filter = level === 'strict' ? seccompFilter(architecture) : null
    if (level === 'strict' && filter === null) log('INFO', `there is no filter of system calls for ${architecture}`)
    const filters = filter === null ? [null] : [filter, null]
    const groupings = groups === null ? [null] : [groups, null]
    return aparts.flatMap((apart) =>
      filters.flatMap((filter) => groupings.map((groups) => ({ level, apart, filter, groups }))),
    )
  }

  async #problemAt(way: Found): Promise<string | null> {
    const request = { method: 'GET' as const, url: 'http://h/', body: '', headers: {}, queryParameters: {} }
    const script = way.level === 'reduced' ? '' : PROOF
    const job = { script, snippets: [], variables: {}, request, response: null }
    const end = await this.#runAt(way, job, NOWHERE, TRIAL_LIMIT_MS)
    return 'problem' in end ? end.problem : null
  }

  async #runAt(way: Found, job: ScriptJob, dialer: Pick<Dialer, 'addressOf'>, limitMs: number): Promise<ScriptEnd> {
    const folder = await makeFolder('script')
    try {
      const socket = join(folder, 'egress.sock')
      const proxy = await openEgressProxy(socket, dialer)
      try {
        const end = await this.#runIn(way, job, socket, limitMs)
        return { ...end, log: [...end.log, ...proxy.refusals].sort((a, b) => a.time - b.time) }
      } finally {
        proxy.close()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #runIn(way: Found, job: ScriptJob, socket: string, limitMs: number): Promise<ScriptEnd> {
    const launch = launchAt(way, socket)
    if (way.groups === null) return runProcess(launch, job, limitMs, null)
    let group: ScriptGroup
    try {
      group = await way.groups.open()
    } catch (error) {
      return { log: [], problem: `it could not be given a control group: ${error}`, ours: true }
    }
    try {
      return await runProcess(launch, job, limitMs, group)
    } finally {
      await group.close().catch((error: unknown) => this.#options.log('WARN', `a control group is left: ${error}`))
    }
  }
}

function isolationOf(way: Found | null): Isolation {
  if (way === null) return { level: 'none', layers: [] }
  const layers: IsolationLayer[] = []
  if (way.filter !== null) layers.push('seccomp')
  if (way.groups !== null) layers.push('cgroup')
  return { level: way.level, layers }
}

function inWords(way: Found): string {
  const added = [
    way.filter !== null && 'a filter of system calls',
    way.groups !== null && 'control groups',
    way.apart && 'users of their own',
  ].filter((words) => words !== false)
  return `"${way.level}"${added.length === 0 ? '' : `, with ${added.join(', ')}`}`
}

const NOWHERE = { addressOf: () => Promise.reject(new Error('nothing can be reached')) }

/** What has to hold in namespaces: it sees neither the networks of the machine nor its processes. */
const PROOF = `
const interfaces = Object.keys(process.getBuiltinModule('os').networkInterfaces())
if (interfaces.some((name) => name !== 'lo')) throw new Error('the networks of this machine can be seen')
if (process.pid > 100) throw new Error('the processes of this machine can be seen')
`
