/** A heartbeat from its form to its events. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSignedIn } from './browser.ts'

test('a heartbeat is added, pinged by its job, and given the rhythm that fits', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  const ping = async (what: string, body?: string) => {
    const { pathname } = new URL(await page.getByLabel('Ping URL').inputValue())
    const answer = await fetch(`${vedette.url}${pathname}${what}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/plain' } }),
    })
    assert.equal(answer.status, 200)
  }

  await t.test('the form asks when pings are expected, and says what is wrong with a schedule', async () => {
    await page.goto(`${vedette.url}/checks/new`)
    await page.getByLabel('Kind', { exact: true }).selectOption('Heartbeat')
    await page.getByText('The first ping starts the clock.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Nightly backup')
    await page.getByLabel('Pings are expected').selectOption('at the times of a cron schedule')
    await page.getByLabel('Cron expression').fill('0 25 * * *')
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByRole('button', { name: 'Add the check' }).click()
    await page.getByText('cannot be read: "25" is no hour').first().waitFor()
    await page.getByLabel('Cron expression').fill('0 3 * * *')
    await page.getByRole('button', { name: 'Add the check' }).click()
    await page.getByRole('heading', { name: 'Nightly backup', level: 1 }).waitFor()
    await page.getByText('0 3 * * * (Europe/Berlin)').waitFor()
  })

  await t.test('its page shows what the job tells: how long it took, how it ended, and what it printed', async () => {
    await page.getByText('More ways to ping').click()
    assert.match(await page.getByLabel('Crontab line').inputValue(), /^0 3 \* \* \* curl .*\/start; .*\/\$\?$/)
    await ping('/start')
    await ping('', 'copied 3 files')
    await ping('/3', 'disk full')
    await page.reload()
    const events = page.getByRole('table', { name: 'Pings and missing pings, newest first' })
    await events.getByText('The job ended with exit code 3.').first().waitFor()
    await events.getByText('Failed').waitFor()
    await events.getByText(/took \d+/).waitFor()
    await events.getByText('What came along').first().click()
    await events.getByText('disk full').first().waitFor()
    await page.getByRole('region', { name: 'Present state' }).getByText('Failing').waitFor()
  })

  await t.test('it is changed in the same form', async () => {
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit Nightly backup' }).waitFor()
    assert.equal(await page.getByLabel('Cron expression').inputValue(), '0 3 * * *')
    await page.getByLabel('Pings are expected').selectOption('every so often')
    await page.getByLabel('Every', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('every 2 days').first().waitFor()
  })

  await t.test('where the pings come at another pace, the one that fits is one button away', async () => {
    const rhythm = { period: 30, periodUnit: 'seconds', grace: 5, graceUnit: 'minutes' }
    await page.route('**/suggestion', (route) =>
      route.fulfill({
        json: {
          suggestion: {
            heartbeat: { ...rhythm, schedule: null },
            changes: 'period',
            pings: 12,
            fitsAsSet: 0,
            fitsAsSuggested: 100,
          },
        },
      }),
    )
    await page.reload()
    await page.getByText('The pings come at another pace than was set.').waitFor()
    await page.unroute('**/suggestion')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('every 30 seconds').first().waitFor()
    await page.getByText('The pings come at another pace than was set.').waitFor({ state: 'detached' })
  })
})
