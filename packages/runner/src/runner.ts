/** Builds the parts of a runner and starts it. */

import { routes } from '@vedette/schema'
import { abilitiesOf } from './abilities.ts'
import { Agent } from './agent.ts'
import { AssetDesk } from './assets/hand-in.ts'
import { controlsOf, describe } from './controls.ts'
import { type Log, logTo } from './log.ts'
import { TroubleWatch } from './own-trouble.ts'
import { BundleCache } from './playwright/bundle-cache.ts'
import { PlaywrightHost } from './playwright/playwright-host.ts'
import { Dialer } from './probes/http/dialer.ts'
import { Names } from './probes/http/names.ts'
import { sweepFolders } from './scripts/own-folders.ts'
import { ScriptHost } from './scripts/script-host.ts'
import { ServerLink } from './server-link.ts'
import type { RunnerSettings } from './settings.ts'

export const RUNNER_VERSION = '0.1.0'

export type RunnerOptions = Omit<RunnerSettings, 'hasParent'> & {
  log?: Log
  /** Name servers instead of the system's. */
  nameServers?: string[]
}

export interface Runner {
  /** Finishes what runs (at most 30 s), reports it, and signs out. */
  stop(): Promise<void>
  /** Resolves when the runner has ended: null when it was told to, else why it gave up. */
  ended: Promise<string | null>
  /** Whether the server knows this runner now. */
  readonly isSignedIn: boolean
}

export function startRunner(options: RunnerOptions): Runner {
  const { serverUrl, key, name, concurrency, scriptConcurrency, egress, logLevel, nameServers } = options
  const log = options.log ?? logTo((line) => process.stdout.write(line), logLevel)
  const link = new ServerLink(serverUrl, key)
  const names = new Names(nameServers === undefined ? {} : { servers: nameServers })
  const controls = controlsOf(options)
  const watch = new TroubleWatch({ ...controls, names })
  const dialer = new Dialer(names, egress)
  const scriptHost = new ScriptHost({ log, allowReduced: options.scriptIsolation === 'reduced' })
  const playwright = new PlaywrightHost({
    log,
    scripts: scriptHost,
    dialer,
    concurrency: scriptConcurrency,
    chromium: options.chromium,
    keepsCompiled: true,
    engine: options.scriptEngine,
  })
  const bundles = new BundleCache((sha256, leaseId) => {
    const query = new URLSearchParams({ runnerId: String(agent.runnerId), leaseId })
    return link.download(`${routes.fetchBundle.path.replace('{sha256}', sha256)}?${query}`)
  })
  sweepFolders().then(
    (swept) => swept > 0 && log('INFO', `removed ${swept} folders of scripts whose runner is gone`),
    (error: unknown) => log('WARN', `folders of scripts whose runner is gone could not be removed: ${error}`),
  )
  // Found now, so that the server and whoever reads the log learn of it before the first script is due.
  const found = Promise.all([scriptHost.level(), playwright.look()])
  watch.start()
  const agent = new Agent({
    link,
    tools: { dialer, watch, scriptHost, playwright, desk: new AssetDesk(link), bundles },
    log,
    name,
    version: RUNNER_VERSION,
    concurrency,
    controls: describe(controls),
    abilities: () => abilitiesOf(playwright.equipment, scriptHost.isolation),
  })
  found.then(
    () => agent.tellNow(),
    (error: unknown) => log('WARN', `what scripts could be run with was not found out: ${error}`),
  )
  const ended = agent.ended.finally(() => {
    watch.stop()
    link.close()
    return Promise.all([playwright.close(), bundles.close()])
  })
  return {
    ended,
    get isSignedIn() {
      return agent.isSignedIn
    },
    async stop() {
      await agent.stop()
      await ended
    },
  }
}
