/**
 * A whole run in the template, before there is any: what is used the first time is compiled then and looked up, and so here
 * it is for all. What a run leaves of itself in the process is taken away again, and of Playwright only the library stays
 * that drives browsers and sends requests: its test runner has one life, and is loaded anew.
 */
import { createHook } from 'node:async_hooks'
import { mkdirSync, rmSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import type { PlaywrightJob } from '../job.ts'
import { mutely } from './say.ts'
import { placesIn, SETTINGS_VARIABLE, type Settings } from './settings.ts'
import type { Warm } from './warm.ts'
import { openBridge } from './way-out.ts'
import { furnish, writeFiles } from './workspace.ts'

const CONFIG = join(import.meta.dirname, 'primer-config.ts')
/** Has no life: it translates texts. */
const TRANSLATOR = join('playwright', 'lib', 'transform', 'babelBundle.js')

export interface Primer {
  job: Extract<PlaywrightJob, { is: 'test' }>
  /** Where the script listens for its own requests. */
  socket: string
}

/** @throws Error when the run does not pass: then others would not either */
export async function prime(
  warm: Warm,
  { job, socket }: Primer,
  given: Omit<Settings, 'folder' | 'entry' | 'recording' | 'proxy'> & { modules: string; temporary: string },
): Promise<void> {
  const { modules, temporary, ...rest } = given
  const folder = join(temporary, 'primer')
  mkdirSync(folder)
  const undo = rememberProcess()
  const bridge = await openBridge(socket)
  const settings = { ...rest, folder, entry: job.entry, recording: job.recording, proxy: bridge.url }
  try {
    const before = writeFiles(folder, job.files)
    furnish(settings)
    process.env[SETTINGS_VARIABLE] = placesIn(folder).settings
    const interruption = new AbortController().signal
    const { status } = await mutely(() => warm.run({ settings, modules, interruption, before }, CONFIG))
    if (status !== 'passed') throw new Error(`what a template does first has ${status}`)
  } finally {
    bridge.close()
    undo()
    rmSync(folder, { recursive: true })
  }
  forgetRunner(modules)
}

/** @returns brings back what a run changes in its process */
function rememberProcess(): () => void {
  const listeners = listenersNow()
  const { exit, argv } = process
  const environment = { ...process.env }
  const extensions = { ...Reflect.get(Module, '_extensions') }
  const { registerHooks } = Module
  const hooks: { deregister(): void }[] = []
  Reflect.set(Module, 'registerHooks', (...args: Parameters<typeof registerHooks>) => {
    const registered = registerHooks(...args)
    hooks.push(registered)
    return registered
  })
  const timers = new Set<NodeJS.Timeout>()
  const watching = createHook({
    init: (_, type, __, resource) => {
      if (type === 'Timeout' && isTimer(resource)) timers.add(resource)
    },
  }).enable()
  return () => {
    watching.disable()
    for (const timer of timers) clearTimeout(timer)
    for (const hook of hooks) hook.deregister()
    Reflect.set(Module, 'registerHooks', registerHooks)
    restore(Reflect.get(Module, '_extensions'), extensions)
    restore(process.env, environment)
    Object.assign(process, { exit, argv, exitCode: undefined })
    for (const name of ['send', 'connected']) Reflect.deleteProperty(process, name)
    for (const [name, now] of listenersNow())
      for (const listener of now)
        if (!listeners.get(name)?.has(listener)) Reflect.apply(process.removeListener, process, [name, listener])
  }
}

const listenersNow = () =>
  new Map(process.eventNames().map((name) => [name, new Set<unknown>(process.rawListeners(String(name)))]))

const isTimer = (resource: object): resource is NodeJS.Timeout => 'hasRef' in resource

function restore(target: object, before: object): void {
  for (const name of Object.keys(target)) if (!(name in before)) Reflect.deleteProperty(target, name)
  Object.assign(target, before)
}

/** All of the test runner, whose workers may begin but once, and which knows the files that it has seen. */
function forgetRunner(modules: string): void {
  const { cache } = createRequire(join(modules, 'from-here.js'))
  const own = ['playwright', '@playwright'].map((name) => join(modules, name) + sep)
  for (const file of Object.keys(cache))
    if (own.some((folder) => file.startsWith(folder)) && file !== join(modules, TRANSLATOR)) delete cache[file]
  // By it a second copy finds that there is another.
  Reflect.deleteProperty(process, '__pw_initiator__')
}
