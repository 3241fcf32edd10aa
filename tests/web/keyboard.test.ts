/** Adding a check without touching a pointer. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSignedIn, send } from './browser.ts'
import { startTarget } from './target.ts'

test('a check is added, paused and deleted from the keyboard alone', async (t) => {
  const target = await startTarget(t)
  const { page, vedette } = await openSignedIn(t)
  await send(vedette, '/v1/checks/api', { name: 'Already there', request: { method: 'GET', url: target.url } })
  await page.goto(vedette.url)
  await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor()

  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to content')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Add a check')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Add a check' }).waitFor()

  await tabTo(page, 'Address')
  await page.keyboard.type(target.url)
  await tabTo(page, 'Name')
  await page.keyboard.type('By keyboard')
  await tabTo(page, 'More settings')
  await page.keyboard.press('Space')
  await tabTo(page, 'Runs')
  await page.keyboard.type('every 30 s')
  await tabTo(page, 'Add the check')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Present state' }).getByText('Passing').waitFor()
  await page.getByText('every 30 s').first().waitFor()

  await tabTo(page, 'Pause')
  await page.keyboard.press('Space')
  await page.getByRole('region', { name: 'Present state' }).getByText('Paused').waitFor()

  await tabTo(page, 'Delete')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Delete this check?' }).waitFor()
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press('Tab')
    assert.notEqual(await focused(page), 'Pause', 'the dialog keeps the focus')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await focused(page), 'Delete', 'the focus is back where it was')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Delete', 'dialog')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Already there' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'By keyboard' }).count(), 0)
})

const MOST_STEPS = 60

async function tabTo(page: Page, name: string, within = 'body'): Promise<void> {
  const passed: string[] = []
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press('Tab')
    const here = await focused(page)
    if (here === name && (await page.locator(`${within} :focus`).count()) > 0) return
    passed.push(here)
  }
  assert.fail(`“${name}” is not reached with the Tab key, only ${passed.join(', ')}`)
}

/** The name of the element that has the focus, as its label or its text says it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const element = document.activeElement
    return (element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.textContent).trim()
  })()`)
