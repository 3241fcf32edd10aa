/** Checks that run scripts, from their form to their results. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { until } from '../start-vedette.ts'
import { openSignedIn } from './browser.ts'
import { type Seen, serveScripts } from './script-runner.ts'
import { failedRun, longRun, passedRun } from './shop-runs.ts'

test('checks that run scripts', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  let seeing: Seen = { verdict: 'passed', error: null, run: passedRun() }
  const seen: { script: string | null; variables: string[] }[] = []
  await serveScripts(t, vedette, 'attic', ({ settings, variables }) => {
    seen.push({
      script: 'script' in settings ? settings.script : null,
      variables: variables.map(({ key, value }) => `${key}=${value}`),
    })
    return seeing
  })
  const script = page.getByLabel('Script', { exact: true })
  const inTheAttic = async () => {
    await page.getByLabel('The attic').check()
    for (const other of await page
      .getByRole('checkbox', { name: /Frankfurt|N\. Virginia|Ireland/, checked: true })
      .all())
      await other.uncheck()
  }

  await t.test('a new check starts with a script for the address that was typed', async () => {
    await page.goto(`${vedette.url}/checks/new?url=${encodeURIComponent("shop.test/it's")}`)
    await page.getByLabel('Kind').selectOption('MULTI_STEP')
    assert.match(await script.inputValue(), /^import \{ expect, test \} from '@playwright\/test'\n/)
    assert.match(await script.inputValue(), /const start = 'https:\/\/shop\.test\/it\\'s'\n/)
    await page.getByLabel('Kind').selectOption('BROWSER')
    assert.match(await script.inputValue(), /page\.goto\('https:\/\/shop\.test\/it\\'s'\)/)
  })

  await t.test('who passes through the script with Tab passes, who writes in it indents', async () => {
    const isFocused = () => script.evaluate((area) => area === area.ownerDocument.activeElement)
    await page.getByLabel('Kind').focus()
    await page.keyboard.press('Tab')
    assert.ok(await isFocused())
    await page.keyboard.press('Tab')
    assert.ok(!(await isFocused()), 'nobody is trapped')
    await script.fill('')
    await page.keyboard.type("test('one', () => {")
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('go()')
    assert.equal(await script.inputValue(), "test('one', () => {\n  go()")
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    assert.ok(!(await isFocused()), 'Escape lets go')
  })

  await t.test('what lies beneath the script has its colours, and is the script to the letter', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what is written
    const code = '// a lantern\nawait page.goto(`${start}/shop`)\n\nexpect(1)'
    await script.fill(code)
    const beneath = page.locator('div:has(> textarea) pre').first()
    assert.equal(await beneath.textContent(), `${code}\n`)
    const colours = await page.evaluate<string[]>(
      "[...document.querySelectorAll('div:has(> textarea) pre span')].map((one) => getComputedStyle(one).color)",
    )
    assert.equal(new Set(colours).size, 5, 'a comment, keywords, calls, texts and a number')
  })

  await t.test('a multi-step check is tried, which keeps nothing, and added', async () => {
    await page.goto(`${vedette.url}/checks/new?kind=MULTI_STEP`)
    await script.fill("import { cart } from './cart'\ntest('a lantern can be bought', async ({ request }) => {\n})\n")
    await page.getByText('More settings').click()
    assert.deepEqual((await page.getByLabel('Runs', { exact: true }).locator('option').allInnerTexts()).slice(0, 2), [
      'every 1 min',
      'every 2 min',
    ])
    await inTheAttic()
    await page.getByRole('button', { name: 'Add file' }).click()
    await page.getByLabel('Place of file 1').fill('cart.ts')
    await page.getByLabel('Content of file 1').fill('export const cart = []')
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Name of variable 1').fill('SHOP_USER')
    await page.getByLabel('Value of variable 1').fill('ada')
    await page.getByLabel('Runtime').selectOption('2025.04')
    await page.getByLabel('End a run after (s)').fill('45')
    await page.getByRole('button', { name: 'Run now' }).click()
    const outcome = page.getByRole('region', { name: 'Outcome of the run' })
    await outcome.getByText('Passed').waitFor()
    await page.getByRole('region', { name: 'Tests' }).getByText('open the shop').waitFor()
    assert.ok(seen.at(-1)?.variables.includes('SHOP_USER=ada'))

    await page.getByRole('button', { name: 'Add the check' }).click()
    await page.getByRole('heading', { name: 'a lantern can be bought', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Present state' }).getByText('Passing').waitFor()
    await page.getByRole('table', { name: 'Runs, newest first' }).getByText('1 test').waitFor()

    await page.getByRole('link', { name: 'Edit' }).click()
    assert.match(await script.inputValue(), /^import \{ cart \}/)
    assert.equal(await page.getByLabel('Content of file 1').inputValue(), 'export const cart = []')
    assert.equal(await page.getByLabel('Value of variable 1').inputValue(), 'ada')
    assert.equal(await page.getByLabel('Runtime').inputValue(), '2025.04')
    assert.equal(await page.getByLabel('End a run after (s)').inputValue(), '45')
  })

  await t.test('what a script refuses is told at its field', async () => {
    await page.getByLabel('Place of file 1').fill('../outside.ts')
    await page.getByRole('button', { name: 'Save' }).click()
    const path = page.getByLabel('Place of file 1')
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await path.getAttribute('aria-invalid'), 'true')
  })

  await t.test('a browser check that fails tells why first, then step by step', async () => {
    await page.goto(`${vedette.url}/checks/new?kind=BROWSER`)
    await page.getByLabel('Name', { exact: true }).fill('Buying a lantern')
    await page.getByText('More settings').click()
    await inTheAttic()
    await page.getByLabel('Domain whose certificate is watched').fill('shop.test')
    await page.getByLabel('A failed attempt is tried again').selectOption('not at all')
    await page.getByRole('button', { name: 'Add the check' }).click()
    await page.getByRole('heading', { name: 'Buying a lantern', level: 1 }).waitFor()
    const runs = page.getByRole('table', { name: 'Runs, newest first' })
    await runs.getByText('1 test', { exact: true }).waitFor()
    seeing = { verdict: 'failed', error: 'expect(locator).toHaveText(expected) failed', run: failedRun() }
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.waitForURL(/check-sessions/)
    await page.getByRole('link', { name: /^Show the result/ }).click()

    const wrong = page.getByRole('region', { name: 'What went wrong' })
    await wrong.getByText('Expected: "€ 24.50"').waitFor()
    assert.match(await wrong.locator('pre').first().innerText(), /> 14 \|/)
    const tests = page.getByRole('region', { name: 'Tests' })
    const steps = tests.getByRole('list', { name: 'Steps of a lantern can be bought' }).last()
    await tests.getByText('1 of 2 tests failed').waitFor()
    await steps.getByText('Click getByRole').waitFor()
    assert.equal(await steps.getByText('Fixture "browser"').count(), 0, 'what went well is folded')
    await steps.getByText('Before Hooks').click()
    await steps.getByText('Fixture "browser"').waitFor()
    assert.equal(await tests.getByText('Try 1').count(), 1)
    await tests.getByText('until the move is over').waitFor()
    const vitals = page.getByRole('region', { name: 'Web vitals of the pages' })
    assert.match(await vitals.innerText(), /LCP[\s\S]*4,410 ms[\s\S]*Poor[\s\S]*TBT[\s\S]*not told/)
    await page.getByRole('region', { name: 'Console of the pages' }).getByText('1 error').waitFor()
    await page.getByRole('region', { name: 'Requests that failed' }).getByText('502 Bad Gateway').waitFor()
    await page.getByRole('region', { name: 'Log of the script' }).getByText('the basket is empty').waitFor()
    assert.match(await page.getByRole('region', { name: 'How it was run' }).innerText(), /1\.65\.1[\s\S]*Chromium 156/)
    await page.getByText('There was more of this run than is kept').waitFor()
  })

  await t.test('it is shown beside the last good run', async () => {
    const beside = page.getByRole('region', { name: 'Beside the last good run' })
    await beside.getByRole('link', { name: 'The good run' }).waitFor()
    assert.match(await beside.innerText(), /first step that went otherwise[\s\S]*Expect "toHaveText"\s+It failed/)
    assert.match(await beside.innerText(), /New errors in the console[\s\S]*Cannot read properties of undefined/)
    assert.match(await beside.innerText(), /Requests that did not fail before[\s\S]*502 Bad Gateway/)
  })

  await t.test('its page charts the web vitals by page and by location, beside their bounds', async () => {
    const result = page.url()
    await page.getByRole('link', { name: 'Buying a lantern' }).click()
    const vitals = page.getByRole('region', { name: 'Web vitals', exact: true })
    await vitals.getByRole('img', { name: /^Largest contentful paint in the last hour, Median: Page 1: / }).waitFor()
    await vitals.getByText('good up to 2,500 ms, poor above 4,000 ms').waitFor()
    await vitals.getByText('As a table').click()
    await vitals.getByRole('row', { name: 'Page 1: shop.test/' }).waitFor()
    await vitals.getByText('p95', { exact: true }).click()
    await vitals.getByText('By location').click()
    await vitals.getByText('Of the first page that each run opens.').waitFor()
    // The failed run is among those that are measured.
    await vitals.getByRole('row', { name: /^attic.* \d,\d{3} ms poor .* good$/ }).waitFor()
    await page.goto(result)
  })

  await t.test('its pictures are enlarged, its traces opened, from the keyboard as well', async () => {
    const picture = await readFile(fileURLToPath(new URL('../../packages/web/src/app/mark.svg', import.meta.url)))
    await page.route('**/kept/*.png', (route) => route.fulfill({ body: picture, contentType: 'image/svg+xml' }))
    await withFiles(page)
    await page.reload()
    await page.getByRole('button', { name: 'Enlarge basket.png, of a lantern can be bought' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'basket.png' }).getByRole('img').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const files = page.getByRole('region', { name: 'Files of the run' })
    assert.equal(await files.getByRole('link', { name: 'Open trace' }).getAttribute('href'), TRACE)
    assert.equal(
      await files.getByRole('link', { name: 'Download trace.zip' }).getAttribute('href'),
      '/kept/trace.zip?signature=lamp',
    )
  })

  await t.test('of two thousand steps those that count are seen, and the others at a click', async () => {
    const result = page.url()
    seeing = { verdict: 'failed', error: 'Test timeout of 30000ms exceeded.', run: longRun() }
    await page.getByRole('link', { name: 'Buying a lantern' }).click()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.waitForURL(/check-sessions/)
    await page.getByRole('link', { name: /^Show the result/ }).click()
    const tests = page.getByRole('region', { name: 'Tests' })
    await tests.getByText('1 of 1 test timed out').waitFor()
    const steps = tests.getByRole('list', { name: 'Steps of everything is bought' })
    const rows = steps.locator('> li')
    await steps.getByText('buy lantern 1500').waitFor()
    assert.match(await rows.last().innerText(), /Time was up:\s*buy lantern 2000[\s\S]*time was up/)
    assert.equal(await rows.count(), 54)
    await steps.getByRole('button', { name: 'Show 200 of 1,449 more steps' }).click()
    await steps.getByText('buy lantern 249', { exact: false }).waitFor()
    assert.equal(await rows.count(), 254)
    await page.goto(result)
  })

  await t.test('a check that no runner can execute says so, in the list and on its page', async () => {
    const why = 'No runner can execute this: there is no browser there (install Chromium).'
    await page.route(/\/v1\/check-overviews\?/, async (route) => {
      const response = await route.fetch()
      const overviews: object[] = await response.json()
      await route.fulfill({ response, json: overviews.map((one) => ({ ...one, cannotRun: why })) })
    })
    const result = page.url()
    await page.goto(vedette.url)
    const row = page.getByRole('list', { name: 'Checks' }).getByRole('listitem').filter({ hasText: 'Buying a lantern' })
    await row.getByText('No runner can execute this').first().waitFor()
    await page.getByRole('link', { name: 'Buying a lantern' }).click()
    await page.getByRole('status').getByText(why).waitFor()
    await page.goto(result)
  })

  await t.test('all of it is accessible in both themes and needs no more room than a phone has', async () => {
    const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
    const result = page.url()
    const [, checkId] = /\/checks\/([0-9a-f-]{36})/.exec(result) ?? []
    for (const address of [
      result,
      `${vedette.url}/checks/${checkId}/edit`,
      `${vedette.url}/checks/${checkId}`,
      vedette.url,
    ]) {
      await page.setViewportSize({ width: 1280, height: 860 })
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await until('it has loaded', async () => (await page.getByText('Loading', { exact: true }).count()) === 0)
      await page.evaluate(axe)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.locator(`html[data-theme="${colorScheme}"]`).waitFor()
        const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
          'axe.run()',
        )
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`),
          [],
          `${address} in the ${colorScheme} theme`,
        )
      }
      await page.setViewportSize({ width: 390, height: 800 })
      const needed = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(needed <= 390, `${address} needs ${needed} pixels of 390`)
    }
  })
})

const TRACE = '/trace/?trace=%2Fkept%2Ftrace.zip%3Fsignature%3Dlamp'

/** Results are answered with files, whose content comes from beside the product. */
async function withFiles(page: Page): Promise<void> {
  const files = [
    { type: 'trace', name: 'trace.zip', contentType: 'application/zip', size: 481_204 },
    { type: 'screenshot', name: 'basket.png', contentType: 'image/png', size: 38_112 },
    { type: 'video', name: 'buying.webm', contentType: 'video/webm', size: 812_004 },
    { type: 'report', name: 'report.json', contentType: 'application/json', size: 9214 },
  ].map((file) => ({
    ...file,
    test: 'a lantern can be bought',
    url: `/kept/${file.name}?signature=lamp`,
    viewer: file.type === 'trace' ? TRACE : null,
  }))
  await page.route(/\/v1\/check-results\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch()
    const answer = Object(await response.json())
    const { browserCheckResult } = answer
    await route.fulfill({ response, json: { ...answer, browserCheckResult: { ...browserCheckResult, assets: files } } })
  })
}
