/** From the first start to the first failure, as a person sees it. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startVedette } from '../start-vedette.ts'
import { openPage, PASSWORD, send } from './browser.ts'
import { startTarget } from './target.ts'

test('the first day with a fresh installation', async (t) => {
  const target = await startTarget(t)
  const vedette = await startVedette(t, { isWhole: true })
  const page = await openPage(t, vedette.url)

  await t.test('it says where the set-up link is, and takes a pasted one', async () => {
    await page.getByText('printed a set-up link in its terminal').waitFor()
    await page.getByLabel('Set-up link or token').fill('su_00000000000000000000000000000000')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password again').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set up and sign in' }).click()
    await page.getByText('This token is wrong or was used.').waitFor()
    await page.getByLabel('Set-up link or token').fill(vedette.setUpLink ?? '')
    await page.getByRole('button', { name: 'Set up and sign in' }).click()
    await page.getByRole('heading', { name: 'What should Vedette watch first?' }).waitFor()
  })

  await t.test('a person adds a check, and sees it fail and recover without reloading', async () => {
    const config = { name: 'Operations room', url: target.url }
    await send(vedette, '/v1/alert-channels', { type: 'WEBHOOK', config, autoSubscribe: true })
    await page.getByLabel('Address to watch').fill(target.url)
    await page.getByRole('button', { name: 'Add the check' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByText('More settings').click()
    await page.getByLabel('Runs', { exact: true }).selectOption('every 10 s')
    await page.getByRole('button', { name: 'Add the check' }).click()

    const state = page.getByRole('region', { name: 'Present state' })
    await state.getByText('Passing').waitFor()
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor()
    const firstRun = page.getByRole('table', { name: 'Runs, newest first' }).getByRole('row').last()
    assert.match(await firstRun.innerText(), /Passed/)

    target.break()
    await state.getByText('Failing').waitFor({ timeout: 30_000 })
    await state.getByText('in trouble for').waitFor()

    await page.getByRole('link', { name: 'Checks', exact: true }).first().click()
    const list = page.getByRole('list', { name: 'Checks' })
    await list.getByText('Failing', { exact: true }).waitFor()
    await page.getByRole('button', { name: '1 Failing' }).waitFor()
    target.mend()
    await list.getByText('Passing', { exact: true }).waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: '0 Failing' }).waitFor()

    await page.getByRole('link', { name: 'Alerts' }).first().click()
    const sent = page.getByRole('table', { name: 'Notifications, newest first' })
    await sent.getByRole('row', { name: 'Shop recovered' }).waitFor()
    await sent.getByRole('row', { name: 'Shop failed' }).waitFor()
  })

  await t.test('one run is shown with its phases, its answer and its assertions', async () => {
    await page.goto(`${vedette.url}/checks/new`)
    await page.getByLabel('Address').fill(target.url)
    await page.getByText('More settings').click()
    await page.getByRole('button', { name: 'Add assertion' }).click()
    await page.getByLabel('Source of assertion 1').selectOption('JSON body')
    await page.getByLabel('Property of assertion 1').fill('$.version')
    await page.getByLabel('Target of assertion 1').fill('9.9.9')
    await page.getByRole('button', { name: 'Add the check' }).click()

    await page.getByRole('table', { name: 'Runs, newest first' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: /^Run of / }).waitFor()
    const assertions = page.getByRole('region', { name: 'Assertions' }).first()
    assert.match(await assertions.innerText(), /Broken[\s\S]*9\.9\.9[\s\S]*1\.2\.3/)
    const phases = page.getByRole('table', { name: 'Phases of the request' })
    assert.match(await phases.innerText(), /DNS[\s\S]*Connect[\s\S]*First byte[\s\S]*In all/)
    assert.match(await page.getByRole('region', { name: 'Response' }).innerText(), /200 OK[\s\S]*"status": "ok"/)
  })

  await t.test('whoever is not signed in is asked to, and is brought back to where they wanted to go', async () => {
    await page.getByRole('button', { name: 'Sign out Ada' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${vedette.url}/operations`)
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Name or password is wrong.').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Operations' }).waitFor()
  })
})
