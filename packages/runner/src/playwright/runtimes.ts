/** The sets of packages that scripts can ask for, as far as they are installed here. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RUNTIMES, type RunnerRuntime, type RuntimeId, type ScriptEngine } from '@vedette/schema'

export interface InstalledRuntime {
  id: RuntimeId
  /** Holds what scripts import. */
  modules: string
  /** Of Playwright. */
  version: string
  /** By name, as they are installed. */
  packages: Readonly<Record<string, string>>
}

const FOLDER = fileURLToPath(new URL('../../runtimes', import.meta.url))
/** The version whose insides are known well enough to run in one process. */
const WARM_VERSIONS = new Set(['1.65.1'])

/** Those of Node.js with which forked processes have passed what the others pass. */
const FORK_NODE = /^v24\./

/** Whether this Node.js is known to bear being forked, which it does not promise. */
export const canForkHere = (): boolean =>
  process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch) && FORK_NODE.test(process.version)

/** Has a folder for each runtime. */
export const runtimesFolder = (): string => process.env.RUNTIMES_DIR || FOLDER

/** @param folder with a folder for each runtime, instead of our own */
export function installedRuntimes(folder: string = runtimesFolder()): InstalledRuntime[] {
  return RUNTIMES.flatMap((id) => {
    const modules = join(folder, id, 'node_modules')
    const version = versionOf(modules, '@playwright/test')
    if (version === null) return []
    const wanted = Object.keys(dependenciesIn(join(folder, id, 'package.json')))
    const packages = Object.fromEntries(
      wanted.flatMap((name) => {
        const found = versionOf(modules, name)
        return found === null ? [] : [[name, found] as const]
      }),
    )
    return [{ id, modules, version, packages }]
  })
}

/** As they are told of. */
export function runtimesHere(installed: readonly InstalledRuntime[] = installedRuntimes()): RunnerRuntime[] {
  return installed.map(({ id, version, packages }) => ({
    ...{ id, playwright: version, node: process.version, engine: engineOf(version), packages: { ...packages } },
  }))
}

/** @param version of Playwright */
export function engineOf(version: string): ScriptEngine {
  return WARM_VERSIONS.has(version) ? 'warm' : 'plain'
}

function versionOf(modules: string, name: string): string | null {
  const path = join(modules, name, 'package.json')
  if (!existsSync(path)) return null
  const { version }: { version?: unknown } = JSON.parse(readFileSync(path, 'utf8'))
  return typeof version === 'string' ? version : null
}

function dependenciesIn(path: string): object {
  const { dependencies }: { dependencies?: unknown } = JSON.parse(readFileSync(path, 'utf8'))
  return typeof dependencies === 'object' && dependencies !== null ? dependencies : {}
}
