/** Suites, from the upload of their project to their results. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ScriptRun, ScriptTest } from '@vedette/schema'
import { archiveOf, projectOf } from '../../packages/server/src/testing/tar.ts'
import { openSignedIn } from './browser.ts'
import { serveScripts } from './script-runner.ts'
import { passedRun } from './shop-runs.ts'

/** A set-up, and the same file in two projects; one of its tests passes at its second try. */
function suiteRun(): ScriptRun {
  const run = passedRun()
  const [pattern] = run.tests
  assert.ok(pattern)
  const one = (file: string, project: string, title: string, more: Partial<ScriptTest> = {}): ScriptTest => ({
    ...pattern,
    ...{ title: [title], project, location: { file, line: 3, column: 1 }, ...more },
  })
  return {
    ...run,
    tests: [
      one('e2e/login.setup.ts', 'log in', 'logs in'),
      one('e2e/cart.spec.ts', 'desktop', 'buys a lantern', { status: 'failed', isLast: false }),
      one('e2e/cart.spec.ts', 'desktop', 'buys a lantern', { retry: 1 }),
      one('e2e/cart.spec.ts', 'phone', 'buys a lantern'),
    ],
  }
}

const tgz = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/gzip', buffer })

test('suites of Playwright', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  const seen: { bundle: string; args: string[]; workingDir: string; variables: string[] }[] = []
  await serveScripts(t, vedette, 'attic', ({ settings, variables }) => {
    assert.ok('bundle' in settings)
    const { bundle, args, workingDir } = settings
    seen.push({ bundle, args, workingDir, variables: variables.map(({ key, value }) => `${key}=${value}`) })
    return { verdict: 'passed', error: null, run: suiteRun() }
  })
  const archive = page.getByLabel('Archive of the project')
  const bundle = page.getByLabel('Bundle', { exact: true })
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  const tests = page.getByRole('region', { name: 'Tests' })

  await t.test('an archive that is refused says why at its field, and the next one is taken', async () => {
    await page.goto(`${vedette.url}/checks/new?kind=PLAYWRIGHT`)
    await archive.setInputFiles(tgz('shop.tar.gz', archiveOf([{ path: '../up.spec.ts' }])))
    await page.getByText('"../up.spec.ts", which leads out of its folder').waitFor()
    assert.equal(await archive.getAttribute('aria-invalid'), 'true')
    assert.equal(await bundle.inputValue(), '')
    await archive.setInputFiles(tgz('shop.tar.gz', projectOf({ 'e2e/cart.spec.ts': '', 'e2e/login.setup.ts': '' })))
    await page.getByText('shop.tar.gz is uploaded: 2 files').waitFor()
    assert.match(await bundle.inputValue(), /^bundles\/[0-9a-f]{64}\.tar\.gz$/)
    assert.equal(await archive.getAttribute('aria-invalid'), null)
  })

  await t.test('who sends the form during an upload is asked to wait', async () => {
    // It never comes to its end.
    await page.route('**/v1/playwright-bundles', () => {})
    await archive.setInputFiles(tgz('other.tar.gz', projectOf({ 'a.spec.ts': '' })))
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Add the check' }).click()
    assert.equal(
      await archive.evaluate((input) => 'validationMessage' in input && input.validationMessage),
      'Wait until the archive is uploaded.',
    )
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    await page.unroute('**/v1/playwright-bundles')
    await archive.setInputFiles(tgz('shop.tgz', projectOf({ 'e2e/cart.spec.ts': '' })))
    await page.getByText('shop.tgz is uploaded').waitFor()
  })

  await t.test('a suite is tried with its command, folder and variables, and added', async () => {
    await page.getByText('More settings').click()
    assert.equal(await page.getByLabel('A failed attempt is tried again').count(), 0, 'it has retries of its own')
    await page.getByLabel('The attic').check()
    for (const other of await page.getByRole('checkbox', { name: /Frankfurt|N\. Virginia/, checked: true }).all())
      await other.uncheck()
    await page.getByLabel('Folder').fill('e2e')
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Name of variable 1').fill('SHOP_USER')
    await page.getByLabel('Value of variable 1').fill('ada')
    const command = page.getByLabel('Test command')
    await command.fill('npm test')
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await command.getAttribute('aria-invalid'), 'true')
    await command.fill("npx playwright test --grep 'buys a lantern'")
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('region', { name: 'Outcome of the run' }).getByText('Passed').first().waitFor()
    const { args, workingDir, variables } = seen.at(-1) ?? {}
    assert.deepEqual([args, workingDir], [['--grep', 'buys a lantern'], 'e2e'])
    assert.ok(variables?.includes('SHOP_USER=ada'))
    await page.getByRole('button', { name: 'Add the check' }).click()
    await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
    await page.getByRole('table', { name: 'Runs, newest first' }).getByText('3 tests').waitFor()
    assert.match(await settings.innerText(), /Test command\s+npx playwright test --grep[\s\S]*Opens pages\s+yes/)
  })

  await t.test('its tests stand by project and file, and those that went well are folded', async () => {
    await page.getByRole('table', { name: 'Runs, newest first' }).getByRole('link').first().click()
    for (const source of ['e2e/login.setup.ts log in', 'e2e/cart.spec.ts desktop', 'e2e/cart.spec.ts phone'])
      await tests.getByRole('heading', { level: 3, name: source }).waitFor()
    await tests.getByText('Flaky').waitFor()
    assert.equal(await tests.getByText('open the shop').count(), 0)
    await tests.getByText('buys a lantern').first().click()
    await tests.getByText('open the shop').last().waitFor()
    await tests.getByText('Try 1').waitFor()
  })

  await t.test('it is accessible in both themes and needs no more room than a phone has', async () => {
    const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
    const result = page.url()
    for (const address of [result, result.replace(/\/results\/.*/, '/edit')]) {
      await page.goto(address)
      await page
        .getByText(address === result ? 'How it was run' : 'Test command')
        .first()
        .waitFor()
      await page.evaluate(axe)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.locator(`html[data-theme="${colorScheme}"]`).waitFor()
        const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()')
        assert.deepEqual(violations, [], `${address} in the ${colorScheme} theme`)
      }
      await page.setViewportSize({ width: 390, height: 800 })
      const needed = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(needed <= 390, `${address} needs ${needed} pixels of 390`)
      await page.setViewportSize({ width: 1280, height: 860 })
    }
  })

  await t.test('another version of the project is another bundle, and the next run takes it', async () => {
    const before = seen.at(-1)?.bundle ?? ''
    assert.equal(await bundle.inputValue(), `bundles/${before}.tar.gz`)
    await archive.setInputFiles(tgz('shop.tar.gz', projectOf({ 'e2e/cart.spec.ts': 'new' })))
    await page.getByText('shop.tar.gz is uploaded').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'shop', level: 1, exact: true }).waitFor()
    const shown = await settings.innerText()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('link', { name: /^Show the result/ }).waitFor()
    assert.notEqual(seen.at(-1)?.bundle, before)
    assert.match(shown, new RegExp(`Bundle\\s+bundles/${seen.at(-1)?.bundle}`))
  })
})
