/** What a check's page tells of its past: errors day by day, and what other settings would have made of it. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Vedette } from '../start-vedette.ts'
import { openSignedIn, send, signInAsReader } from './browser.ts'
import { startTarget } from './target.ts'

test('the page of a check counts its errors by day, and tries alert settings on its past', async (t) => {
  const target = await startTarget(t)
  const { page, vedette } = await openSignedIn(t)
  const { id } = await send<{ id: string }>(vedette, '/v1/checks/api', {
    name: 'Orders',
    frequency: 1440,
    request: { method: 'GET', url: target.url },
    retryStrategy: null,
    alertSettings: { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 1 } },
    useGlobalAlertSettings: false,
  })
  await run(vedette, id)
  target.break()
  for (let failed = 0; failed < 3; failed += 1) await run(vedette, id)
  target.mend()
  await run(vedette, id)
  await page.goto(`${vedette.url}/checks/${id}`)

  const errors = page.getByRole('region', { name: 'Errors' })
  await errors.getByRole('img', { name: /^3 times in the last 14 days: / }).waitFor()
  await errors.getByText('3 ×').waitFor()

  const trial = page.getByRole('region', { name: 'Try alert settings on the past', exact: true })
  await trial.getByRole('button', { name: 'Try' }).click()
  await trial.getByText('These are the settings in force: they send 2 alerts.').waitFor()

  await trial.getByLabel('Alert after').selectOption({ label: '3 failed runs in a row' })
  await trial.getByText('30 days').click()
  await trial.getByRole('button', { name: 'Try' }).click()
  await trial.getByText(/^They would have sent 2 alerts, as many as those in force, the first .+ later\.$/).waitFor()
  const rows = await trial.getByRole('row').allInnerTexts()
  const told = rows.map((row) =>
    row
      .split('\t')
      .slice(1)
      .map((cell) => cell.trim()),
  )
  assert.deepEqual(told, [
    ['In force (2)', 'Tried (2)'],
    ['Failing', '–'],
    ['–', 'Failing'],
    ['Recovered', 'Recovered'],
  ])

  await trial.getByLabel('Alert after').selectOption({ label: '30 minutes of trouble' })
  await trial.getByLabel('Remind while it lasts').selectOption({ label: 'without end' })
  await trial.getByLabel('Every').selectOption({ label: '15 minutes' })
  await trial.getByRole('button', { name: 'Try' }).click()
  await trial.getByText('They would have sent no alerts instead of 2.').waitFor()

  await page.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.locator(`html[data-theme="${theme}"]`).waitFor()
    const { violations } = await page.evaluate<{ violations: { id: string; impact: string }[] }>('axe.run()')
    assert.deepEqual(
      violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
      [],
      theme,
    )
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/past-${theme}.png`, fullPage: true })
  }
  await page.setViewportSize({ width: 390, height: 800 })
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390)
  if (process.env.SCREENSHOTS !== undefined)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/past-narrow.png`, fullPage: true })

  await trial.getByRole('button', { name: 'Back to those in force' }).click()
  assert.equal(await trial.getByLabel('Alert after').inputValue(), 'runs-1')
  const cookies = await page.context().cookies()
  await signInAsReader(page, vedette)
  await page.goto(`${vedette.url}/checks/${id}`)
  await errors.getByText('3 ×').waitFor()
  assert.equal(await errors.getByRole('button').count(), 0)
  await page.context().clearCookies()
  await page.context().addCookies(cookies)
  await page.goto(`${vedette.url}/checks/${id}`)
  await errors.getByRole('button', { name: 'Archive' }).click()
  await errors.waitFor({ state: 'detached' })
})

/** Runs the check once, to its end. */
async function run(vedette: Vedette, checkId: string): Promise<void> {
  const { sessions } = await send<{ sessions: { checkSessionId: string }[] }>(vedette, '/v1/check-sessions/trigger', {
    target: { checkId },
  })
  for (const { checkSessionId } of sessions) {
    const { url, apiKey } = vedette
    const answer = await fetch(`${url}/v1/check-sessions/${checkSessionId}/completion?maxWaitSeconds=30`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    assert.equal(answer.status, 200)
  }
}
