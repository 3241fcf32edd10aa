/** Why somebody was told, or was not, on the page of a check. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSignedIn, send } from './browser.ts'

test('the page of a check tells why people were told, or were not, up to any moment', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  const channel = {
    type: 'WEBHOOK',
    config: { name: 'Operations room', url: `${vedette.url}/nowhere` },
    sendRecovery: false,
  }
  await send(vedette, '/v1/alert-channels', channel)
  const { id, heartbeat } = await send<{ id: string; heartbeat: { pingToken: string } }>(
    vedette,
    '/v1/checks/heartbeat',
    {
      name: 'Nightly backup',
      heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' },
      alertSettings: { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 2 } },
      useGlobalAlertSettings: false,
    },
  )
  for (const what of ['', '/1', '/1', '']) {
    const answer = await fetch(`${vedette.url}/ping/${heartbeat.pingToken}${what}`, { method: 'POST' })
    assert.equal(answer.status, 200)
  }
  await page.goto(`${vedette.url}/checks/${id}`)
  const alerts = page.getByRole('region', { name: 'Alerts' })
  await alerts.getByText('Not told: 1 of 2 runs that the threshold asks for.').waitFor()
  await alerts.getByText('Told: 2 of 2 runs that the threshold asks for.').waitFor()
  await alerts.getByText('Due, but no subscribed channel takes it: it is no longer failing.').waitFor()
  await alerts.getByText('Operations room: Not told: it does not want recoveries').waitFor()

  if (process.env.SCREENSHOTS !== undefined) {
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/wide.png`, fullPage: true })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/narrow.png`, fullPage: true })
  }

  await alerts.getByLabel('Until').fill('2020-01-01T00:00')
  await alerts.getByText('All was well: there was nothing to decide.').waitFor()
})
