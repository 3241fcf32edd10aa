/** A check is tried before it is kept, and a kept one before it is changed. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { until } from '../start-vedette.ts'
import { openSignedIn, send } from './browser.ts'
import { startTarget } from './target.ts'

test('a draft is run without being saved', async (t) => {
  const target = await startTarget(t)
  const { page, vedette } = await openSignedIn(t)
  const checks = async () => {
    const headers = { authorization: `Bearer ${vedette.apiKey}` }
    return (await (await fetch(`${vedette.url}/v1/checks`, { headers })).text()) !== '[]'
  }
  const outcome = page.getByRole('region', { name: 'Outcome of the run' })
  const runNow = page.getByRole('button', { name: 'Run now' })

  await t.test('what is wrong with the draft stands at its field', async () => {
    await page.goto(`${vedette.url}/checks/new`)
    await page.getByLabel('Address').fill('http://exa mple.test/')
    await runNow.click()
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await page.locator('[aria-invalid="true"]').first().inputValue(), 'http://exa mple.test/')
    assert.equal(await outcome.count(), 0)
  })

  await t.test('with the keyboard alone it is run, and its outcome is told and shown below', async () => {
    await page.reload()
    await page.getByLabel('Address').fill(target.url)
    const before = await placeOf(runNow)
    await page.getByRole('button', { name: 'Add the check' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await outcome.waitFor()
    assert.match(
      await outcome.innerText(),
      /Passed[\s\S]*not tried again[\s\S]*No alert[\s\S]*Nothing of this run is kept/,
    )
    assert.match(await page.getByRole('region', { name: 'Response' }).innerText(), /200 OK[\s\S]*"status": "ok"/)
    await page.getByRole('log').getByText('The run has ended. Passed').waitFor({ state: 'attached' })
    assert.deepEqual(await placeOf(runNow), before)
    await isAccessible(page)
    assert.equal(await checks(), false)
  })

  await t.test('a failing one says why, and that the form has changed since', async () => {
    target.break()
    await runNow.click()
    await outcome.getByText('Decided by').waitFor()
    await outcome.getByText('Failed', { exact: true }).waitFor()
    assert.match(
      await outcome.innerText(),
      /503[\s\S]*The answer itself[\s\S]*It would be tried again[\s\S]*It would alert/,
    )
    await isAccessible(page)
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await outcome.getByText('You have changed the form since this run.').waitFor()
  })

  await t.test('whoever leaves takes the run along', async () => {
    target.fallSilent()
    await runNow.click()
    await page.getByText('The run is under way…').waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor()
    assert.equal(await checks(), false)
  })
})

test('changes of a check are tried before they are saved', async (t) => {
  const target = await startTarget(t)
  const { page, vedette } = await openSignedIn(t)
  const { id } = await send<{ id: string }>(vedette, '/v1/checks/url', {
    name: 'Shop',
    activated: false,
    request: { url: target.url },
  })
  await page.goto(`${vedette.url}/checks/${id}/edit`)
  await page.getByLabel('Address').fill(`${target.url}?changed`)
  await page.getByRole('button', { name: 'Run now' }).click()
  const outcome = page.getByRole('region', { name: 'Outcome of the run' })
  await outcome.waitFor()
  assert.match(await page.getByRole('region', { name: 'Request' }).innerText(), /changed/)
  const headers = { authorization: `Bearer ${vedette.apiKey}` }
  const stored = await (await fetch(`${vedette.url}/v1/checks/${id}`, { headers })).text()
  assert.ok(!stored.includes('changed'))
  const results = await (await fetch(`${vedette.url}/v2/check-results/${id}`, { headers })).text()
  assert.match(results, /"length":0/)
})

/** On the page, however far it is scrolled. */
async function placeOf(button: Locator): Promise<{ left: number; top: number }> {
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {}
  return { left: Math.round(x), top: Math.round(y + (await button.page().evaluate<number>('window.scrollY'))) }
}

interface AxeResults {
  violations: { id: string; impact: string; help: string }[]
}

/** In both themes, and on a phone. */
async function isAccessible(page: Page): Promise<void> {
  const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await page.evaluate(axe)
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.locator(`html[data-theme="${theme}"]`).waitFor()
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    assert.deepEqual(serious, [], `in the ${theme} theme`)
  }
  await page.setViewportSize({ width: 390, height: 800 })
  const needed = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(needed <= 390, `it needs ${needed} pixels of 390`)
  await page.setViewportSize({ width: 1280, height: 860 })
  await until('the page is wide again', () => page.evaluate<boolean>('window.innerWidth === 1280'))
}
