/** Status pages in a real browser that runs no scripts, for people with wide screens, phones, and either theme. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startMailServer } from '../../packages/server/src/mail/mail-server.fixture.ts'
import { startVedette, until, type Vedette } from '../start-vedette.ts'
import { launchBrowser, openPage, send } from './browser.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[]
}

test('a status page can be read without scripts, in both themes, on any screen, and axe finds nothing', async (t) => {
  const vedette = await startVedette(t)
  const incident = await furnish(vedette)
  const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const complaints: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      const look = { colorScheme, viewport: { width, height: 860 } }
      const plain = await (await browser.newContext({ ...look, javaScriptEnabled: false })).newPage()
      // The page has no scripts: only axe needs them.
      const examined = await (await browser.newContext(look)).newPage()
      for (const page of [plain, examined]) {
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(message.text())
        })
      }
      for (const path of ['', '/history', `/incidents/${incident}`, '/nothing']) {
        const url = `${vedette.url}/status/lantern${path}`
        await plain.goto(url)
        await plain.getByRole('heading', { level: 1 }).waitFor()
        if (path === '') await plain.getByText('Day by day').first().click()
        const folder = process.env.SCREENSHOTS
        if (folder !== undefined) {
          const name = `${path.split('/')[1] || 'page'}-${colorScheme}-${width}.png`
          await plain.screenshot({ path: `${folder}/${name}`, fullPage: true })
        }
        await examined.goto(url)
        const needed = await examined.evaluate<number>('document.documentElement.scrollWidth')
        assert.ok(needed <= width, `${path} needs ${needed} pixels of ${width}`)
        await examined.evaluate(axe)
        const { violations } = await examined.evaluate<AxeResults>('axe.run()')
        assert.deepEqual(violations.map(inWords), [], `${path} in the ${colorScheme} theme, ${width} pixels wide`)
      }
    }
  }
  assert.deepEqual(
    complaints.filter((text) => !text.includes('404')),
    [],
  )
})

test('the feeds of a status page are well-formed XML, whatever was written', async (t) => {
  const vedette = await startVedette(t)
  const { id } = await send<{ id: string }>(vedette, '/v1/status-pages/services', { name: '<b> & ]]> \u0007' })
  const name = '<script> & ]]> \u0001 "'
  await send(vedette, '/v1/status-pages', { name, url: 'lantern', cards: [{ name, services: [{ id }] }] })
  const incidentUpdates = [{ description: `${name}\n${name}` }]
  const incident = { name, severity: 'MINOR', services: [{ id }], incidentUpdates }
  await send(vedette, '/v1/status-pages/incidents', incident)
  const page = await openPage(t, `${vedette.url}/status/lantern`)
  for (const [file, item] of [
    ['feed.rss', 'rss > channel > item > guid'],
    ['feed.atom', 'feed > entry > id'],
  ] as const) {
    const text = await (await fetch(`${vedette.url}/status/lantern/${file}`)).text()
    const parsed = `new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml')`
    assert.equal(await page.evaluate(`${parsed}.querySelector('parsererror')?.textContent ?? null`), null)
    assert.match(await page.evaluate<string>(`${parsed}.querySelector('${item}').textContent`), /^urn:uuid:/)
  }
})

test('everything on a status page can be reached with the keyboard', async (t) => {
  const vedette = await startVedette(t)
  await furnish(vedette)
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${vedette.url}/status/lantern`)
  await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').innerText(), 'Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').innerText(), 'Orders are delayed')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Orders are delayed' }).waitFor()
  await page.getByRole('link', { name: 'Back to the status' }).press('Enter')
  const days = page.getByText('Day by day').first()
  await days.press('Enter')
  await page
    .locator('details[open] li')
    .filter({ hasText: / of trouble$/ })
    .first()
    .waitFor()
})

test('somebody subscribes without scripts, confirms by mail, hears of an incident and ends it, on a wide screen and a phone', async (t) => {
  const mailServer = await startMailServer(t)
  const env = { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: 'Vedette <vedette@example.org>' }
  const vedette = await startVedette(t, { env })
  const { id } = await send<{ id: string }>(vedette, '/v1/status-pages/services', { name: 'Checkout' })
  const cards = [{ name: 'Shop', services: [{ id }] }]
  await send(vedette, '/v1/status-pages', { name: 'Lantern & Sons', url: 'lantern', cards })
  const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  const complaints: string[] = []
  plain.on('console', (message) => complaints.push(message.text()))
  // The pages have no scripts: axe needs them, and gets a copy of what there is.
  const examined = await (await browser.newContext({ bypassCSP: true })).newPage()
  const examine = async (name: string) => {
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      for (const page of [plain, examined]) {
        await page.setViewportSize({ width, height: 860 })
        await page.emulateMedia({ colorScheme })
      }
      const folder = process.env.SCREENSHOTS
      if (folder !== undefined) await plain.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true })
      await examined.setContent(await plain.content())
      const needed = await examined.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(needed <= width, `${name} needs ${needed} pixels of ${width}`)
    }
    await examined.evaluate(axe)
    const { violations } = await examined.evaluate<AxeResults>('axe.run()')
    assert.deepEqual(violations.map(inWords), [], name)
  }
  await plain.goto(`${vedette.url}/status/lantern`)
  await plain.getByRole('link', { name: 'News by mail' }).click()
  await examine('subscribe')
  // A browser takes it for an address, a mail server would not.
  const wrong = `${'a'.repeat(65)}@example.org`
  const field = plain.getByLabel('Your e-mail address')
  await field.fill(wrong)
  await plain.getByRole('button', { name: 'Subscribe' }).click()
  await plain.getByRole('alert').waitFor()
  assert.equal(await field.inputValue(), wrong)
  await examine('wrong-address')
  await field.fill('reader@example.org')
  await field.press('Enter')
  await plain.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
  await examine('asked')

  const mail = async (count: number) => {
    await until(`${count} mails came`, () => mailServer.received.length === count)
    return mailServer.received[count - 1]?.mail.text ?? ''
  }
  const follow = async (text: string, name: string) =>
    plain.goto(`${vedette.url}${new RegExp(`/subscriptions/\\w+/${name}`).exec(text)?.[0]}`)
  await follow(await mail(1), 'verify')
  await plain.getByRole('heading', { name: 'You are subscribed' }).waitFor()
  await examine('verified')
  await send(vedette, '/v1/status-pages/incidents', {
    ...{ name: 'Orders are delayed', severity: 'MINOR', services: [{ id }] },
    incidentUpdates: [{ description: 'We look into it.', notifySubscribers: true }],
  })
  const news = await mail(2)
  assert.match(news, /Severity: Minor/)
  await follow(news, 'unsubscribe')
  await examine('unsubscribe')
  await plain.getByRole('button', { name: 'Unsubscribe' }).click()
  await plain.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  await examine('unsubscribed')
  const folder = process.env.SCREENSHOTS
  for (const [index, { mail }] of mailServer.received.entries()) {
    await examined.setContent(mail.html ?? '')
    if (folder !== undefined) await examined.screenshot({ path: `${folder}/mail-${index}.png` })
  }
  assert.deepEqual(
    complaints.filter((text) => !/status of 40[04]/.test(text)),
    [],
  )
  assert.ok(!/reader@|ss_[0-9a-f]/.test(vedette.output()))
})

/** Answers the id of the open incident. */
async function furnish(vedette: Vedette): Promise<string> {
  const service = async (name: string) =>
    (await send<{ id: string }>(vedette, '/v1/status-pages/services', { name })).id
  const checkout = await service('Checkout')
  const search = await service('Search')
  const long = await service('A service with a long name that hardly fits on the line of a phone')
  await send(vedette, '/v1/status-pages', {
    name: 'Lantern & Sons',
    url: 'lantern',
    description: 'How our shop is doing.\nWe write here as soon as we know something.',
    cards: [
      { name: 'Shop', services: [{ id: checkout }, { id: search }] },
      { name: 'Everything else', services: [{ id: long }] },
    ],
  })
  const incident = async (name: string, severity: string, services: string[], began: number, resolved?: number) => {
    const { id } = await send<{ id: string }>(vedette, '/v1/status-pages/incidents', {
      ...{ name, severity, services: services.map((service) => ({ id: service })) },
      incidentUpdates: [{ description: 'We are looking into it.', publicIncidentUpdateDate: ago(began) }],
    })
    const update = (status: string, at: number) =>
      send(vedette, `/v1/status-pages/incidents/${id}/incident-updates`, {
        ...{ description: `It is ${status.toLowerCase()}.`, status, publicIncidentUpdateDate: ago(at) },
      })
    await update('IDENTIFIED', began - HOUR / 2)
    if (resolved !== undefined) await update('RESOLVED', resolved)
    return id
  }
  await incident('Search was slow', 'MINOR', [search], 3 * DAY, 3 * DAY - HOUR)
  await incident('Nothing could be bought', 'CRITICAL', [checkout, search], 20 * DAY, 19 * DAY)
  await incident('Deliveries stood still', 'MEDIUM', [long], 8 * DAY, 7 * DAY)
  return incident('Orders are delayed', 'MAJOR', [checkout], 2 * HOUR)
}

const inWords = ({ id, help, nodes }: AxeResults['violations'][number]): string =>
  `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`
