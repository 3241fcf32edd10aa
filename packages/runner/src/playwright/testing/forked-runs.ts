/** Runs jobs in forked processes as the runner does, and tells all that they said. */
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { egressPolicy } from '@vedette/core'
import { openEgressProxy } from '../../scripts/egress-proxy.ts'
import { ScriptHost } from '../../scripts/script-host.ts'
import { runContext } from '../../testing/builders.ts'
import type { Browsers } from '../browsers.ts'
import type { ScriptEvent } from '../event.ts'
import { forkProcess } from '../forked-process.ts'
import type { PlaywrightJob } from '../job.ts'
import { PlaywrightProcess } from '../playwright-process.ts'
import { limitsOf, socketIn } from '../sandbox.ts'
import { TemplateProcess } from '../template-process.ts'
import { RUNTIME } from './inside-process.ts'

export interface ForkedRuns {
  template: TemplateProcess
  run(job: PlaywrightJob): Promise<ScriptEvent[]>
  close(): Promise<void>
}

/** @throws Error where nothing can be forked */
export async function startForking(browsers: Browsers | null): Promise<ForkedRuns> {
  const lines: string[] = []
  const scripts = new ScriptHost({
    log: (_, line) => lines.push(line),
    allowReduced: false,
    level: 'strict',
    groups: null,
  })
  const way = await scripts.way()
  if (way === null) throw new Error(lines.join('; '))
  const limits = limitsOf({ hasPages: browsers !== null })
  const template = await TemplateProcess.start({
    way,
    place: { modules: RUNTIME, browsers, nests: false },
    limits,
  })
  const { dialer } = runContext({ egress: egressPolicy('check-built-in') })
  await template.ready()
  return {
    template,
    run: async (job) => {
      const place = await template.makePlace()
      const proxy = await openEgressProxy(socketIn(place), dialer)
      const events: ScriptEvent[] = []
      const process = new PlaywrightProcess({
        launch: (hearer, characters) => forkProcess({ template, place, limits: characters, isGated: false }, hearer),
        ...{ limits, group: null, mayStray: false, hear: (event) => events.push(event) },
      })
      try {
        await process.ready()
        const problem = await process.run(job)
        if (problem !== null) throw new Error(`${basename(place)}: ${problem.problem}`)
        return events
      } finally {
        proxy.close()
        await rm(place, { recursive: true, force: true })
      }
    },
    close: async () => {
      template.kill()
      await template.ended
    },
  }
}
