/** What the kinds of checks have in common, and the one that nobody runs. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSignedIn, send } from './browser.ts'

test('checks of all kinds', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  const state = page.getByRole('region', { name: 'Present state' })

  await t.test('a heartbeat shows where to ping, how often, and what came', async () => {
    const { id } = await send<{ id: string }>(vedette, '/v1/checks/heartbeat', {
      name: 'Nightly backup',
      heartbeat: { period: 1, periodUnit: 'days', grace: 30, graceUnit: 'minutes' },
    })
    await page.context().grantPermissions(['clipboard-write'])
    await page.goto(`${vedette.url}/checks/${id}`)
    await page.getByText('No ping yet').waitFor()
    const pings = page.getByRole('region', { name: 'Pings' })
    assert.match(await pings.innerText(), /every 1 day\s+Grace\s+30 minutes/)
    await pings.getByRole('button', { name: 'Copy' }).click()
    await pings.getByRole('button', { name: 'Copied' }).waitFor()

    const { pathname } = new URL(await page.getByLabel('Ping URL').inputValue())
    assert.equal((await fetch(`${vedette.url}${pathname}`)).status, 200)
    await page.getByRole('table', { name: 'Pings and missing pings, newest first' }).getByText('On time').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Run now' }).count(), 0)
  })

  await t.test('a check of any kind is paused', async () => {
    const body = { name: 'Checkout', request: { hostname: '127.0.0.1', port: 9 } }
    const { id } = await send<{ id: string }>(vedette, '/v1/checks/tcp', body)
    await page.goto(`${vedette.url}/checks/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await state.getByText('Paused').waitFor()
    assert.match(await page.getByRole('region', { name: 'Settings', exact: true }).innerText(), /Active\s+no/)
  })

  await t.test('the list shows them all, or those of one kind', async () => {
    await page.goto(vedette.url)
    const list = page.getByRole('list', { name: 'Checks' })
    await list.getByText('A heartbeat has no runs: it waits for pings.').waitFor()
    await list.getByText('every 1 day').waitFor()
    await page.getByLabel('Kind', { exact: true }).selectOption('Heartbeat')
    await page.getByRole('link', { name: 'Checkout' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Nightly backup' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('kind'), 'HEARTBEAT')
  })

  await t.test('the forms of all kinds speak of the connection in the same words', async () => {
    for (const kind of ['API', 'URL', 'GRPC', 'TCP', 'ICMP']) {
      await page.goto(`${vedette.url}/checks/new?kind=${kind}`)
      await page.getByText('More settings').click()
      const connection = page.getByRole('group', { name: kind === 'ICMP' ? 'Pings' : 'Connection', exact: true })
      await connection.getByLabel('IP version').selectOption('IPv6')
      await connection.getByLabel('Expected to fail').check()
      const anyCertificate = connection.getByLabel('Accept any certificate')
      const tls = connection.getByLabel('TLS', { exact: true })
      if (kind === 'TCP') assert.equal(await anyCertificate.count(), 0, 'it asks for no TLS yet')
      if ((await tls.count()) > 0) await tls.check()
      if (kind !== 'ICMP') await anyCertificate.check()
    }
  })
})
