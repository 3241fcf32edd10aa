/** As a process of its own, for a test to kill: runs a script that opens a page and never ends. */
import http from 'node:http'
import { egressPolicy } from '../../packages/core/src/index.ts'
import { PlaywrightHost } from '../../packages/runner/src/playwright/playwright-host.ts'
import { jobOf } from '../../packages/runner/src/playwright/run-files.ts'
import { ScriptHost } from '../../packages/runner/src/scripts/script-host.ts'
import { portOf, runContext } from '../../packages/runner/src/testing/builders.ts'

const log = () => {}
const scripts = new ScriptHost({ log, allowReduced: true })
const { dialer } = runContext({ egress: egressPolicy('check-private-location', { allow: ['127.0.0.2/32'] }) })
// Listening keeps this process alive while it finds out.
const server = http.createServer((_, response) => {
  process.send?.('asked')
  response.end('<script>for (;;);</script>')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))

const engine = process.env.FAULT_ENGINE === 'forked' ? 'forked' : 'warm'
const wanted = { runtimeId: '2025.04', hasPages: true } as const
const host = new PlaywrightHost({ log, scripts, dialer, concurrency: 1, engine })
const isFound = (await scripts.level()) !== null && (await host.browser('2025.04')) !== null
const isAsWanted = isFound && (engine === 'warm' || (await host.forks(wanted)))
process.send?.(isAsWanted ? 'found' : isFound ? 'nothing is forked here' : 'no page can be opened here')

const script = `const { test } = require('@playwright/test')
test('it', async ({ page }) => { await page.goto('http://127.0.0.2:${portOf(server)}/') })`
const settings = { script, scriptPath: 'a.spec.js', dependencies: [] }
const recording = { trace: 'on', video: 'on', screenshot: 'on' } as const
await host.run(wanted, jobOf({ settings, variables: [], snippets: [], recording, limitMs: 600_000 }))
