/** Who is on a trouble, and what a check depends on. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSignedIn, send } from './browser.ts'

interface Heartbeat {
  id: string
  heartbeat: { pingToken: string }
}

const heartbeat = { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' }

async function look(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return
  await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-wide.png`, fullPage: true })
  await page.setViewportSize({ width: 390, height: 800 })
  await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-narrow.png`, fullPage: true })
  await page.setViewportSize({ width: 1280, height: 860 })
}

test('somebody says to be on a trouble, on the page of the check or by the link of a message', async (t) => {
  const link = Promise.withResolvers<string>()
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => link.resolve(text))
    request.on('end', () => response.end('ok'))
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  t.after(() => receiver.close())
  const { port }: Pick<AddressInfo, 'port'> = Object(receiver.address())

  const { page, vedette } = await openSignedIn(t)
  const config = { name: 'Night watch', url: `http://127.0.0.1:${port}/`, template: '{{{ACKNOWLEDGE_LINK}}}' }
  await send(vedette, '/v1/alert-channels', { type: 'WEBHOOK', config })
  const backup = await send<Heartbeat>(vedette, '/v1/checks/heartbeat', { name: 'Nightly backup', heartbeat })
  const report = await send<Heartbeat>(vedette, '/v1/checks/heartbeat', { name: 'Morning report', heartbeat })
  const fail = async ({ heartbeat }: Heartbeat) =>
    assert.equal((await fetch(`${vedette.url}/ping/${heartbeat.pingToken}/fail`, { method: 'POST' })).status, 200)

  await page.goto(`${vedette.url}/checks/${report.id}/edit`)
  const parents = page.getByLabel('Depends on', { exact: true })
  await parents.selectOption('Nightly backup')
  await page.getByRole('list', { name: 'Checks that it depends on' }).getByText('Nightly backup').waitFor()
  await look(page, 'depends')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Morning report', level: 1 }).waitFor()

  await fail(backup)
  await fail(report)
  await page.goto(`${vedette.url}/checks/${report.id}`)
  await page.getByRole('region', { name: 'Settings', exact: true }).getByText('Nightly backup').waitFor()
  await page.getByText('Not told: “Nightly backup”, which it depends on, fails.').waitFor()

  await page.goto(`${vedette.url}/checks/${backup.id}`)
  const state = page.getByRole('region', { name: 'Present state' })
  await state.getByRole('button', { name: 'Acknowledge' }).waitFor()
  await look(page, 'in-trouble')
  await state.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByLabel('Note').fill('The disk is full.')
  await look(page, 'dialog')
  await page.getByRole('button', { name: 'I am on it' }).click()
  await state.getByText('Acknowledged by Ada').waitFor()
  await state.getByText('The disk is full.').waitFor()
  await look(page, 'acknowledged')
  await page.goto(vedette.url)
  await page.getByRole('listitem').filter({ hasText: 'Nightly backup' }).getByText('Acknowledged').waitFor()
  await look(page, 'list')
  await page.goto(`${vedette.url}/checks/${backup.id}`)
  await state.getByRole('button', { name: 'Take back' }).click()
  await state.getByRole('button', { name: 'Acknowledge' }).waitFor()

  const { pathname } = new URL(await link.promise)
  await page.goto(vedette.url + pathname)
  await page.getByRole('heading', { name: 'Nightly backup is failing' }).waitFor()
  await look(page, 'by-link')
  await page.getByRole('button', { name: 'I am on it' }).click()
  await page.getByText('by link from Night watch').waitFor()
  await look(page, 'by-link-done')
  await page.goto(`${vedette.url}/checks/${backup.id}`)
  await state.getByText('Acknowledged by link from Night watch').waitFor()
})
