/**
 * The older runtimes, installed by the command from the npm registry: the oldest, which is put together otherwise than all
 * others, and the one before the current. What their packages do by themselves must work in the sandbox of a runner too.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RUNTIME_FACTS, type RuntimeId } from '@vedette/schema'
import { PlaywrightHost } from '../packages/runner/src/playwright/playwright-host.ts'
import { jobOf } from '../packages/runner/src/playwright/run-files.ts'
import { ScriptHost } from '../packages/runner/src/scripts/script-host.ts'
import { runContext } from '../packages/runner/src/testing/builders.ts'

const MAIN = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))
const RUNTIMES = fileURLToPath(new URL('../packages/runner/runtimes', import.meta.url))
const OLDER: readonly RuntimeId[] = ['2022.10', '2024.09']
const recording = { trace: 'off', video: 'off', screenshot: 'off' } as const

const folder = mkdtempSync(join(tmpdir(), 'vedette-runtimes-'))
// Scripts run as another user.
chmodSync(folder, 0o755)
const lines: string[] = []
const log = (_: string, line: string) => lines.push(line)
const scripts = new ScriptHost({ log, allowReduced: true })
const site = http.createServer((request, response) => {
  const isPage = request.url === '/page'
  response.setHeader('content-type', isPage ? 'text/html' : 'application/json')
  response.end(
    isPage
      ? '<title>Shop</title><button onclick="said.textContent = \'done\'">Go</button><p id=said>'
      : '{"name":"Ada"}',
  )
})
let host: PlaywrightHost

before(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  for (const id of OLDER) {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(RUNTIMES, id, file), join(folder, id, file))
    const env = { ...process.env, RUNTIMES_DIR: folder }
    await promisify(execFile)(process.execPath, [MAIN, 'runtime', 'install', id], { env })
  }
  process.env.RUNTIMES_DIR = folder
  host = new PlaywrightHost({ log, scripts, dialer: runContext().dialer, concurrency: 2 })
})
after(async () => {
  await host.close()
  site.close()
  rmSync(folder, { recursive: true })
})

async function run(runtimeId: RuntimeId, script: string, hasPages = false) {
  const address = site.address()
  const SITE = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const settings = { script, scriptPath: null, dependencies: [] }
  const job = jobOf({
    settings,
    variables: [{ key: 'SITE', value: SITE, hidden: false }],
    snippets: [],
    recording,
    limitMs: 60_000,
  })
  const { run, problem } = await host.run({ runtimeId, hasPages }, job)
  assert.equal(problem, null, problem?.text)
  return run
}

for (const id of OLDER) {
  test(`a script of the runtime ${id} sends requests, and is told of as any other`, async () => {
    const { status, runtime, tests, errors } = await run(
      id,
      `import { expect, test } from '@playwright/test'
test('asks', async ({ request }) => {
  const name: string = (await (await request.get(process.env.SITE + '/')).json()).name
  await test.step('compares', async () => expect(name).toBe('Ada'))
})`,
    )
    assert.deepEqual([status, errors], ['passed', []])
    assert.deepEqual([runtime.playwright, runtime.engine], [RUNTIME_FACTS[id].playwright, 'plain'])
    assert.deepEqual(
      tests.map(({ title, status }) => [title.at(-1), status]),
      [['asks', 'passed']],
    )
    assert.match(JSON.stringify(tests[0]?.steps), /"compares"/)
  })

  test(`what cannot be read says so with the runtime ${id}`, async () => {
    const { status, errors } = await run(id, `import { test } from '@playwright/test'\ntest('a', () => { const = 1 })`)
    assert.equal(status, 'failed')
    assert.match(errors[0]?.message ?? '', /Unexpected token \(2:24\)/)
  })

  test(`pages are opened with the runtime ${id}, by the test runner and by hand`, async (t) => {
    if ((await host.browser(id)) === null) return t.skip('there is no Chromium')
    const tested = await run(
      id,
      `const { expect, test } = require('@playwright/test')
test('opens', async ({ page }) => {
  await page.goto(process.env.SITE + '/page')
  await page.click('button')
  await expect(page.locator('#said')).toHaveText('done')
})`,
      true,
    )
    assert.deepEqual([tested.status, tested.errors], ['passed', []])
    const byHand = await run(
      id,
      `const { chromium } = require('playwright')
const { expect } = require('@playwright/test')
const axios = require('axios')
;(async () => {
  const { data } = await axios.get(process.env.SITE + '/')
  const browser = await chromium.launch()
  const page = await browser.newPage()
  await page.goto(process.env.SITE + '/page')
  expect([data.name, await page.title()]).toEqual(['Ada', 'Shop'])
  await browser.close()
})()`,
      true,
    )
    assert.deepEqual([byHand.status, byHand.errors], ['passed', []])
  })
}
