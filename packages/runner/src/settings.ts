/** What a runner is told by its environment. Every mistake names its variable. */
import { availableParallelism, hostname } from 'node:os'
import { EGRESS_PRESETS, type EgressPolicy, egressPolicy } from '@vedette/core'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import type { ControlTarget } from './own-trouble.ts'

const SCRIPT_ISOLATIONS = ['required', 'reduced'] as const
export type ScriptIsolation = (typeof SCRIPT_ISOLATIONS)[number]

const SCRIPT_ENGINES = ['warm', 'forked'] as const

export interface RunnerSettings {
  serverUrl: string
  key: string
  name: string
  /** Runs executed at the same time. */
  concurrency: number
  /** Of these, scripts with Playwright: each takes a good part of a processor. */
  scriptConcurrency: number
  /** The browser; null: the one that is found. */
  chromium: string | null
  egress: EgressPolicy
  controlTargets: ControlTarget[]
  /** Names that the name server always knows while it is well. */
  controlNames: string[]
  logLevel: LogLevel
  /** `reduced`: scripts may run even where the machine cannot keep them apart from itself. */
  scriptIsolation: ScriptIsolation
  /** `forked`: scripts with Playwright run in copies of a process that is loaded once, where the machine can do that. */
  scriptEngine: (typeof SCRIPT_ENGINES)[number]
  /** End when the process that started us ends. */
  hasParent: boolean
}

type Environment = { readonly [name: string]: string | undefined }

/** Throws an error that names the variable. */
export function readSettings(env: Environment): RunnerSettings {
  return {
    serverUrl: serverUrl(env.SERVER_URL),
    key: required('API_KEY', env.API_KEY),
    name: (env.RUNNER_NAME || hostname()).slice(0, 255),
    concurrency: concurrency('JOB_CONCURRENCY', env.JOB_CONCURRENCY || '500'),
    scriptConcurrency: concurrency('SCRIPT_CONCURRENCY', env.SCRIPT_CONCURRENCY || String(2 * availableParallelism())),
    chromium: env.CHROMIUM_PATH || null,
    egress: egress(env),
    controlTargets: list(env.CONTROL_TARGETS).map(controlTarget),
    controlNames: list(env.CONTROL_NAMES).map(controlName),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, env.LOG_LEVEL === 'LOG' ? 'INFO' : env.LOG_LEVEL || 'INFO'),
    scriptIsolation: oneOf('SCRIPT_ISOLATION', SCRIPT_ISOLATIONS, env.SCRIPT_ISOLATION || 'required'),
    scriptEngine: oneOf('SCRIPT_ENGINE', SCRIPT_ENGINES, env.SCRIPT_ENGINE || 'warm'),
    hasParent: env.RUNNER_PARENT === '1',
  }
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new Error(`${name} must be set`)
  return value.trim()
}

function serverUrl(value: string | undefined): string {
  const text = required('SERVER_URL', value)
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error(`SERVER_URL must be an address such as https://vedette.example.org, not "${text}"`)
  }
  return text
}

function concurrency(name: string, value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1 || number > 10_000) {
    throw new Error(`${name} must be a whole number from 1 to 10000, not "${value}"`)
  }
  return number
}

function egress(env: Environment): EgressPolicy {
  const preset = oneOf('EGRESS_POLICY', EGRESS_PRESETS, env.EGRESS_POLICY || 'check-private-location')
  return {
    preset,
    allow: networks('EGRESS_ALLOW', env.EGRESS_ALLOW).allow,
    deny: networks('EGRESS_DENY', env.EGRESS_DENY).allow,
  }
}

function networks(name: string, value: string | undefined): EgressPolicy {
  try {
    return egressPolicy('channel', { allow: list(value) })
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
  }
}

function controlTarget(text: string): ControlTarget {
  const url = URL.parse(`tcp://${text}`)
  const port = Number(url?.port)
  if (url === null || !(port > 0))
    throw new Error(`CONTROL_TARGETS must list targets such as 1.1.1.1:443, not "${text}"`)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port }
}

function controlName(name: string): string {
  // With a dot, and no address: those end in digits.
  if (!/^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,62}\.?$/i.test(name))
    throw new Error(`CONTROL_NAMES must list host names such as example.com, not "${name}"`)
  return name
}

const list = (value = '') => value.split(/[,\s]+/).filter((item) => item !== '')

function oneOf<T extends string>(name: string, allowed: readonly T[], value: string): T {
  const found = allowed.find((item) => item === value)
  if (found === undefined) throw new Error(`${name} must be one of ${allowed.join(', ')}, not "${value}"`)
  return found
}
