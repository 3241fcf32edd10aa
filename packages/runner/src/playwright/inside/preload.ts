/**
 * Loaded first into every process that a run starts (by NODE_OPTIONS): puts the hooks into Playwright when that process
 * loads it, whichever copy it is, and costs the others nothing.
 */
import Module from 'node:module'
import { installHooks } from './hooks.ts'
import type { CoreInside } from './playwright.ts'
import { sayInto } from './say.ts'
import { placesIn, readSettings, SETTINGS_VARIABLE } from './settings.ts'

const CORE = /(?:^|[\\/])playwright-core(?:[\\/]index(?:\.js)?)?$/

if (process.env[SETTINGS_VARIABLE] !== undefined) {
  const settings = readSettings()
  sayInto(placesIn(settings.folder).said)
  const load: unknown = Reflect.get(Module, '_load')
  if (typeof load === 'function')
    Reflect.set(Module, '_load', function (this: unknown, ...args: [string, ...unknown[]]) {
      const loaded: unknown = Reflect.apply(load, this, args)
      if (CORE.test(args[0]) && isCore(loaded)) installHooks(loaded, settings)
      return loaded
    })
}

function isCore(value: unknown): value is CoreInside {
  return typeof value === 'object' && value !== null && 'chromium' in value
}
