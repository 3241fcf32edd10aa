/** Dashboards in a real browser that runs no scripts: on a wall, on a phone, with a key, and with a style of their own. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions } from 'playwright-core'
import { NASTY_CSS } from '../../packages/server/src/pages/dashboard/nasty-css.fixture.ts'
import { startVedette, until, type Vedette } from '../start-vedette.ts'
import { launchBrowser, send } from './browser.ts'
import { startTarget } from './target.ts'

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[]
}

const OWN_STYLE = [
  '.name{color:rgb(1,2,3)}body{border-top:7px solid rgb(4,5,6)}*{outline-color:rgb(7,8,9)}',
  // The rule after each of them is lost with what it leaves open; one leaves open what nothing but a bracket ends.
  ...NASTY_CSS.filter((css) => !css.includes('\u0000') && !css.includes('test/i}')).map((css) => `${css}\n}\nlost{}\n`),
].join('')

test('dashboards', async (t) => {
  const target = await startTarget(t)
  const vedette = await startVedette(t)
  const key = await furnish(vedette, target.url)
  const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const complaints: string[] = []
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const page = await (await browser.newContext(options)).newPage()
    page.setDefaultTimeout(15_000)
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 40[34]/.test(message.text())) complaints.push(message.text())
    })
    await page.goto(`${vedette.url}/dashboard/${path}`)
    return page
  }

  await until('the checks have results', async () => {
    const text = await (await fetch(`${vedette.url}/dashboard/wall`)).text()
    return text.includes('1 failing') && text.includes('2 passing')
  })

  await t.test('can be read in both themes, on any screen, and axe finds nothing', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1600, 1280, 390]) {
        const look = { colorScheme, viewport: { width, height: 860 } }
        for (const path of width === 390 ? ['wall', 'open', 'private'] : ['wall', 'open']) {
          const folder = process.env.SCREENSHOTS
          if (folder !== undefined) {
            const plain = await open(path, { ...look, javaScriptEnabled: false })
            await plain.screenshot({ path: `${folder}/${path}-${colorScheme}-${width}.png`, fullPage: true })
          }
          // The page has no scripts: only axe needs them.
          const examined = await open(path, look)
          const needed = await examined.evaluate<number>('document.documentElement.scrollWidth')
          assert.ok(needed <= width, `${path} needs ${needed} pixels of ${width}`)
          await examined.evaluate(axe)
          const { violations } = await examined.evaluate<AxeResults>('axe.run()')
          assert.deepEqual(violations.map(inWords), [], `${path} in the ${colorScheme} theme, ${width} pixels wide`)
          await examined.context().close()
        }
      }
    }
  })

  await t.test('can be gone through with the keyboard', async () => {
    const page = await open('wall', { javaScriptEnabled: false })
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').innerText(), 'Skip to the checks')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.match(await page.locator(':focus').innerText(), /^A search/)
    assert.ok(!(await page.getByText('Availability, 30 days').first().isVisible()))
    await page.keyboard.press('Enter')
    await page.getByText('Availability, 30 days').first().waitFor()
    await page.getByRole('link', { name: 'Next' }).press('Enter')
    await page.getByText('Page 2 of 2').waitFor()
    await page.getByRole('link', { name: 'Stay on this page' }).press('Enter')
    await page.getByRole('link', { name: 'Turn pages again' }).waitFor()
  })

  await t.test('a private one asks for its key once', async () => {
    const page = await open('private', { javaScriptEnabled: false })
    assert.equal(await page.getByText('Certificate desk').count(), 0)
    assert.equal(await page.locator(':focus').getAttribute('name'), 'key')
    await page.keyboard.type('da_not_the_key')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('does not open').waitFor()
    await page.getByLabel('Key').fill(key)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Certificate desk', level: 1 }).waitFor()
    assert.ok(!page.url().includes(key))
    await page.goto(`${vedette.url}/dashboard/private`)
    await page.getByRole('heading', { name: 'Certificate desk', level: 1 }).waitFor()
    const [cookie] = await page.context().cookies()
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.value.includes(key)], [true, 'Lax', false])
  })

  await t.test('a style of its own changes what is inside, reaches nothing around it and loads nothing', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).href.replace(vedette.url, '')))
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${vedette.url}/dashboard/styled`)
    await page.waitForLoadState('networkidle')
    assert.equal(asked.length, 2, asked.join())
    assert.match(asked[1] ?? '', /^\/dashboard\/styled\/style\/[0-9a-f]{16}\.css$/)
    const of = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`)
    assert.equal(await of('.name', 'color'), 'rgb(1, 2, 3)')
    assert.equal(await of('.dashboard', 'borderTopWidth'), '7px')
    for (const outside of ['html', 'body', '.page', 'footer', 'body > .skip']) {
      assert.notEqual(await of(outside, 'outlineColor'), 'rgb(7, 8, 9)', outside)
      assert.notEqual(await of(outside, 'color'), 'rgb(255, 0, 0)', outside)
      assert.notEqual(await of(outside, 'borderTopColor'), 'rgb(4, 5, 6)', outside)
    }
    // The browser reads the sheet as we do.
    const selectors = await page.evaluate<string[]>(
      `[...document.querySelector('link[rel=stylesheet]').sheet.cssRules].map((rule) => rule.selectorText ?? '')`,
    )
    assert.ok(selectors.length > 10)
    for (const selector of selectors) assert.match(selector, /^(\.dashboard( |$)|$)/)
  })

  assert.deepEqual(complaints, [])
})

/** Answers the key of the private one. */
async function furnish(vedette: Vedette, url: string): Promise<string> {
  const { id: groupId } = await send<{ id: number }>(vedette, '/v1/check-groups', {
    ...{ name: 'Web shop', tags: ['shop'], locations: ['eu-central-1'] },
  })
  const heartbeat = { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' }
  const backup = await send<{ heartbeat: { pingUrl: string } }>(vedette, '/v1/checks/heartbeat', {
    ...{ name: 'Nightly backup', heartbeat, tags: ['internal', 'a-tag-that-is-longer-than-most-of-the-others'] },
  })
  await fetch(vedette.url + new URL(backup.heartbeat.pingUrl).pathname)
  const check = async (name: string, version: string, rest: object = {}) => {
    const assertions = [{ source: 'JSON_BODY', property: '$.version', comparison: 'EQUALS', target: version }]
    const request = { method: 'GET', url, assertions }
    const { id } = await send<{ id: string }>(vedette, '/v1/checks/api', {
      name,
      request,
      retryStrategy: null,
      ...rest,
    })
    await send(vedette, '/v1/check-sessions/trigger', { target: { checkId: id } })
  }
  await check('Checkout', '1.2.3', { groupId })
  await check('A search with a name that hardly fits on the line of a phone', '9.9.9', { groupId })
  await send(vedette, '/v1/checks/api', { name: 'Asleep', request: { method: 'GET', url }, activated: false })
  const make = <Answer>(fields: object) =>
    send<Answer>(vedette, '/v1/dashboards', { header: 'Lantern & Sons', ...fields })
  const description = 'Everything that sells.\nAsk Ann when it is red.'
  const told = { enableIncidents: true, showGroupNames: false, sortByStatus: false }
  const wall = await make<{ id: number }>({ customUrl: 'wall', description, ...told, checksPerPage: 3, tags: [] })
  await send(vedette, '/v1/incidents', {
    ...{ name: 'Search is slow', impact: 'MINOR', dashboardId: wall.id },
    incidentUpdates: [{ status: 'IDENTIFIED', description: 'An index is being rebuilt.' }],
  })
  await make({ customUrl: 'open', expandChecks: true, showCheckRunLinks: true, width: '960PX' })
  await make({ customUrl: 'styled', customCSS: OWN_STYLE })
  const secret = await make<{ keys: { rawKey: string }[] }>({
    ...{ customUrl: 'private', isPrivate: true, header: 'Certificate desk' },
  })
  const [key] = secret.keys
  assert.ok(key)
  return key.rawKey
}

const inWords = ({ id, help, nodes }: AxeResults['violations'][number]): string =>
  `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`
