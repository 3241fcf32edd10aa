import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { FormPage } from './helpers/pages'

test.use({ baseURL: process.env.SITE ?? '' })

test('a page object', async ({ page }) => {
  const form = new FormPage(page)
  await form.open()
  await form.fill('jo')
  await expect(page.getByText('Hello jo')).toBeVisible()
})
test('routes what a page asks for', async ({ page }) => {
  await page.route('**/json', (route) => route.fulfill({ json: { status: 'mocked' } }))
  await page.goto('/fetches')
  await expect(page.locator('#answer')).toHaveText('mocked')
})
test('aborts what a page asks for', async ({ page }) => {
  await page.route('**/json', (route) => route.abort())
  await page.goto('/fetches')
  await expect(page.locator('#answer')).toHaveText('none')
})
test('console and faults of a page', async ({ page }) => {
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  const fault = page.waitForEvent('pageerror')
  await page.goto('/noisy')
  expect((await fault).message).toBe('on purpose')
  expect(messages).toContain('a warning')
})
test('a screenshot', async ({ page }, testInfo) => {
  await page.goto('/form')
  await testInfo.attach('form', { body: await page.screenshot(), contentType: 'image/png' })
  await page.screenshot({ path: testInfo.outputPath('kept.png') })
})
test('a pop-up', async ({ page, context }) => {
  await page.goto('/popup')
  const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('link').click()])
  await expect(popup.getByRole('heading')).toHaveText('Form')
})
test('frames', async ({ page }) => {
  await page.goto('/frames')
  await page.frameLocator('iframe').getByLabel('Name').fill('in a frame')
  await expect(page.frameLocator('iframe').getByLabel('Name')).toHaveValue('in a frame')
})
test('a file goes up', async ({ page }) => {
  await page.goto('/upload')
  await page.getByLabel('File').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') })
  await expect(page.locator('#name')).toHaveText('a.txt 3')
})
test('a file comes down', async ({ page }) => {
  await page.goto('/upload')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Get' }).click()])
  expect(readFileSync(await download.path(), 'utf8')).toBe('downloaded')
})
test('the clock is set', async ({ page }) => {
  await page.clock.install({ time: new Date('2030-01-01T00:00:00Z') })
  await page.goto('/form')
  await page.clock.fastForward('01:00')
  expect(await page.evaluate(() => new Date().getUTCFullYear())).toBe(2030)
})
test('an answer dialog', async ({ page }) => {
  page.once('dialog', (dialog) => dialog.accept('yes'))
  await page.goto('/form')
  expect(await page.evaluate(() => prompt('well?'))).toBe('yes')
})
