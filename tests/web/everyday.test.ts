/** What people do on ordinary days. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSignedIn, send } from './browser.ts'
import { startTarget } from './target.ts'

test('everyday work', async (t) => {
  const target = await startTarget(t)
  const { page, vedette } = await openSignedIn(t)

  await t.test('a check is edited, run on demand, muted and found by its tag', async () => {
    await send(vedette, '/v1/checks/api', { name: 'Other', request: { method: 'GET', url: target.url } })
    const { id } = await send<{ id: string }>(vedette, '/v1/checks/api', {
      name: 'Shop',
      retryStrategy: { type: 'LINEAR', maxRetries: 3, baseBackoffSeconds: 4 },
      request: { method: 'GET', url: target.url },
    })
    await page.goto(`${vedette.url}/checks/${id}`)

    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(await page.getByLabel('Address').inputValue(), target.url)
    await page.getByLabel('Name', { exact: true }).fill('Shop window')
    await page.getByLabel('Tags').fill('shop, critical')
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name of header 1').fill('x-probe')
    await page.getByLabel('Value of header 1').fill('yes')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Shop window', level: 1 }).waitFor()
    assert.match(
      await page.getByRole('region', { name: 'Settings', exact: true }).innerText(),
      /waiting longer each time/,
    )

    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('link', { name: /^Show the result/ }).click()
    await page.getByText('Headers (', { exact: false }).last().click()
    await page.getByRole('rowheader', { name: 'x-probe' }).waitFor()

    await page.getByRole('link', { name: 'Shop window' }).click()
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.getByRole('region', { name: 'Present state' }).getByText('Muted').waitFor()

    await page.getByRole('link', { name: 'Checks', exact: true }).first().click()
    await page.getByLabel('Tag', { exact: true }).selectOption('critical')
    await page.getByRole('link', { name: 'Other' }).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).searchParams.get('tag'), 'critical')
    await page.getByRole('button', { name: '0 Degraded' }).click()
    await page.getByText('No check matches this search.').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('state'), 'degraded')
    await page.getByRole('button', { name: /^\d Passing$/ }).click()
    await page.getByRole('link', { name: 'Shop window' }).waitFor()
    await page.getByLabel('Search checks by name or address').fill('nothing like it')
    await page.getByText('No check matches this search.').waitFor()
    await page.goBack()
    assert.ok(page.url().includes(id), 'filtering leaves one entry in the history')
  })

  await t.test('a refusal of the server is shown at its field', async () => {
    await page.goto(`${vedette.url}/checks/new`)
    await page.getByLabel('Address').fill('ftp://example.org')
    await page.getByRole('button', { name: 'Add the check' }).click()
    const address = page.getByLabel('Address')
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await address.getAttribute('aria-invalid'), 'true')
  })

  await t.test('without the event stream the page asks by itself', async () => {
    await page.route('**/web/events', (route) => route.abort())
    await page.goto(vedette.url)
    await page.getByText('Polling').waitFor()
    const request = { method: 'GET', url: target.url }
    await send(vedette, '/v1/checks/api', { name: 'Watched', frequency: 0, frequencyOffset: 10, request })
    const watched = page.getByRole('listitem').filter({ hasText: 'Watched' })
    await watched.getByText('Passing', { exact: true }).waitFor({ timeout: 40_000 })
    await page.unroute('**/web/events')
  })

  await t.test('channels, locations and keys are made, shown once, and removed', async () => {
    await page.goto(`${vedette.url}/alerts`)
    await page.getByRole('button', { name: 'Add a channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Operations room')
    await dialog.getByLabel('URL').fill('https://hooks.example.org/room')
    await dialog.getByText('Body, headers and signature').click()
    await dialog.getByLabel('Body template').fill('{"text": "{{ALERT_TITLE}}"}')
    await dialog.getByRole('button', { name: 'Add the channel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Operations room' }).click()
    await dialog.getByText('Body, headers and signature').click()
    assert.equal(await dialog.getByLabel('Body template').inputValue(), '{"text": "{{ALERT_TITLE}}"}')
    await dialog.getByLabel('Degradations').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('hears of failures, degradations, recoveries').waitFor()
    await page.getByRole('button', { name: 'Delete Operations room' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nobody is told yet').waitFor()

    await page.goto(`${vedette.url}/locations`)
    await page.getByRole('button', { name: 'Add a private location' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Büro Köln')
    assert.equal(await dialog.getByLabel('Short name').inputValue(), 'buro-koln')
    await dialog.getByRole('button', { name: 'Add the location' }).click()
    assert.notEqual(await dialog.getByLabel('Location key').inputValue(), '')
    await dialog.getByRole('button', { name: 'I have it' }).click()
    await page.getByText('No runner', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete Büro Köln' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No private location yet').waitFor()

    await page.goto(`${vedette.url}/settings`)
    await page.getByLabel('Name of the new key').fill('deployment')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const rawKey = await page.getByLabel('API key', { exact: true }).inputValue()
    const row = page
      .getByRole('list', { name: 'Your API keys' })
      .getByRole('listitem')
      .filter({ hasText: 'deployment' })
    await row.getByText(rawKey.slice(-4)).waitFor()
    await row.getByText('not used yet').waitFor()
    const response = await fetch(`${vedette.url}/v1/checks`, { headers: { authorization: `Bearer ${rawKey}` } })
    assert.equal(response.status, 200)
    await page.getByRole('button', { name: 'Delete the key deployment' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    const refused = await fetch(`${vedette.url}/v1/checks`, { headers: { authorization: `Bearer ${rawKey}` } })
    assert.equal(refused.status, 401)

    await page.getByLabel('Name of the new service key').fill('hall')
    await page.getByLabel('Role').selectOption('read only')
    await page.getByRole('button', { name: 'Create a service key' }).click()
    const serviceKey = await page.getByLabel('Service key', { exact: true }).inputValue()
    const authorization = `Bearer ${serviceKey}`
    assert.equal((await fetch(`${vedette.url}/v1/checks`, { headers: { authorization } })).status, 200)
    await page.getByRole('button', { name: 'Delete the key hall' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('list', { name: 'Service keys' }).count(), 0)

    await page.getByText('Dark', { exact: true }).click()
    await page.reload()
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  })

  await t.test('a run on demand that takes too long is cancelled', async () => {
    const request = { method: 'GET', url: target.url }
    const { id } = await send<{ id: string }>(vedette, '/v1/checks/api', { name: 'Slow', frequency: 1440, request })
    target.fallSilent()
    await page.goto(`${vedette.url}/checks/${id}`)
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('running…').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled').waitFor()
    await page.getByText('No result came.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Cancel' }).count(), 0)
  })
})
