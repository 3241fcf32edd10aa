/** Suites with the whole product: a project is uploaded, and a real runner runs it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { CodeBundle, DryRun, PlaywrightCheckResult } from '@vedette/schema'
import { projectOf } from '../packages/server/src/testing/tar.ts'
import { startVedette } from './start-vedette.ts'

const MAIN = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))
const run = promisify(execFile)

/** Two projects, one of which depends on another, retries, a set-up for all, and files that import each other. */
const SHOP = {
  'package.json': '{ "name": "shop", "private": true }',
  'e2e/playwright.config.ts': `
    import { defineConfig } from '@playwright/test'
    export default defineConfig({
      testDir: './tests',
      globalSetup: './global-setup.ts',
      retries: 1,
      reporter: [['list'], ['json', { outputFile: 'own-report.json' }]],
      use: { trace: 'on-first-retry' },
      projects: [
        { name: 'prepare', testMatch: /prepare\\.ts/ },
        { name: 'shop', dependencies: ['prepare'], testMatch: /.*\\.spec\\.ts/ },
        { name: 'never', testMatch: /never\\.ts/ },
      ],
    })`,
  'e2e/global-setup.ts': `
    export default async () => { process.env.FROM_GLOBAL_SETUP = 'yes' }`,
  'e2e/lib/prices.ts': `
    export enum Currency { Euro = 'EUR' }
    export const price = (amount: number, currency: Currency): string => \`\${amount} \${currency}\``,
  'node_modules/lantern/package.json': '{ "name": "lantern", "version": "1.0.0", "main": "index.js" }',
  'node_modules/lantern/index.js': `exports.light = () => 'it shines'`,
  // Another one than that of the runtime, which would find no way out.
  'node_modules/@playwright/test/package.json':
    '{ "name": "@playwright/test", "version": "1.0.0", "main": "index.js" }',
  'node_modules/@playwright/test/index.js': `throw new Error('the copy of the bundle was loaded')`,
  'e2e/fixtures.ts': `
    import { test as base } from '@playwright/test'
    export const test = base.extend<{ lantern: { light(): string } }>({
      lantern: async ({}, use) => { await use(require('lantern')) },
    })`,
  'e2e/tests/prepare.ts': `
    import { test } from '@playwright/test'
    test('opens the till', () => {})`,
  'e2e/tests/prices.spec.ts': `
    import { expect, test } from '@playwright/test'
    import { test as withLantern } from '../fixtures'
    import { Currency, price } from '../lib/prices'
    withLantern('has what it brings along', ({ lantern }) => {
      expect(lantern.light()).toBe('it shines')
    })
    test('prices are in words', () => {
      expect(process.env.FROM_GLOBAL_SETUP).toBe('yes')
      expect(price(3, Currency.Euro)).toBe('3 EUR')
    })
    test('the second try works', ({}, { retry }) => {
      expect(retry).toBe(1)
    })
    test('knows where it runs', () => {
      const { SERVICE, SERVICE_REGION, SERVICE_RUN_SOURCE, CI, TILL } = process.env
      console.log('told', JSON.stringify({ SERVICE, SERVICE_REGION, SERVICE_RUN_SOURCE, CI, TILL }))
    })`,
  'e2e/tests/page.spec.ts': `
    import { expect, test } from '@playwright/test'
    test('a page opens', async ({ page }) => {
      await page.setContent('<button onclick="this.textContent = 1">0</button>')
      await page.getByRole('button').click()
      await expect(page.getByRole('button')).toHaveText(process.env.EXPECTED ?? '1', { timeout: 500 })
    })`,
  'e2e/tests/never.ts': `
    import { test } from '@playwright/test'
    test('is not asked for', () => { throw new Error('it ran') })`,
}

test('a project that is uploaded runs as its own configuration says', async (t) => {
  const vedette = await startVedette(t, { env: { LOCATIONS: 'eu-west-1' } })
  const { url, apiKey } = vedette
  const headers = { authorization: `Bearer ${apiKey}` }
  const folder = await mkdtemp(join(tmpdir(), 'vedette-suite-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(SHOP)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const env = { PATH: process.env.PATH, SERVER_URL: url, API_KEY: apiKey }
  const pack = async () => (await run(process.execPath, [MAIN, 'bundle', folder], { env, cwd: folder })).stdout.trim()
  const packed = await pack()
  assert.match(packed, /^bundles\/[0-9a-f]{64}\.tar\.gz$/)
  assert.equal(await pack(), packed)

  const uploaded = await fetch(new URL('/v1/playwright-bundles', url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/gzip' },
    body: projectOf(SHOP),
  })
  const bundle: CodeBundle = JSON.parse(await uploaded.text())
  assert.equal(uploaded.status, 201, JSON.stringify(bundle))
  assert.equal(bundle.files, Object.keys(SHOP).length)

  const tryOut = async (settings: object): Promise<{ dryRun: DryRun; told: PlaywrightCheckResult }> => {
    const response = await fetch(new URL('/v1/checks/playwright/dry-run', url), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ name: 'Shop', codeBundlePath: bundle.codeBundlePath, locations: ['eu-west-1'] },
        ...{ workingDir: 'e2e', testCommand: 'npx playwright test --project=shop', ...settings },
      }),
    })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    const dryRun: DryRun = JSON.parse(text)
    const told = dryRun.result.playwrightCheckResult
    assert.ok(told, text)
    return { dryRun, told }
  }

  const { dryRun, told } = await tryOut({
    environmentVariables: [{ key: 'TILL', value: 'seven', locked: false, secret: false }],
  })
  assert.equal(dryRun.verdict, 'passed', JSON.stringify(told.errors))
  assert.deepEqual(
    told.tests
      .map(({ title, project, retry, status }) => `${project}: ${title.at(-1)}, ${retry}: ${status}`)
      .toSorted(),
    [
      'prepare: opens the till, 0: passed',
      'shop: a page opens, 0: passed',
      'shop: has what it brings along, 0: passed',
      'shop: knows where it runs, 0: passed',
      'shop: prices are in words, 0: passed',
      'shop: the second try works, 0: failed',
      'shop: the second try works, 1: passed',
    ],
  )
  assert.equal(told.runtime.engine, 'plain')
  const line = told.jobLog?.map(({ msg }) => msg).find((msg) => msg.startsWith('told '))
  assert.deepEqual(JSON.parse(line?.slice(5) ?? 'null'), {
    ...{ SERVICE: '1', SERVICE_REGION: 'eu-west-1', SERVICE_RUN_SOURCE: 'DEMAND', TILL: 'seven' },
  })

  const broken = await tryOut({
    testCommand: "npx playwright test --project=shop --grep 'a page opens'",
    environmentVariables: [{ key: 'EXPECTED', value: '2', locked: false, secret: false }],
  })
  assert.equal(broken.dryRun.verdict, 'failed')
  assert.match(broken.dryRun.decision.reason, /a page opens.*Expected: "2".*Received: "1"/)
  assert.deepEqual(
    broken.told.tests.map(({ project, retry, status }) => `${project} ${retry}: ${status}`),
    ['prepare 0: passed', 'shop 0: failed', 'shop 1: failed'],
  )

  const misplaced = await tryOut({ codeBundlePath: packed, workingDir: 'nowhere' })
  assert.deepEqual([misplaced.dryRun.verdict, misplaced.dryRun.decision.rule], ['failed', 'script-failed'])
  assert.match(misplaced.dryRun.decision.reason, /the bundle has no folder "nowhere"/)
})
