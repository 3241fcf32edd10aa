/** What checks share: variables, snippets, client certificates. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { selfSigned } from '../../packages/server/src/testing/certificates.ts'
import { openSignedIn, PASSWORD, send, signInAsReader } from './browser.ts'

test('what checks share', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  const dialog = page.getByRole('dialog')
  const variables = page.getByRole('list', { name: 'Variables' }).getByRole('listitem')
  const snippets = page.getByRole('list', { name: 'Snippets' }).getByRole('listitem')
  const certificates = page.getByRole('list', { name: 'Client certificates' }).getByRole('listitem')

  await t.test('the settings lead to variables, and an empty list says what they are for', async () => {
    await page.goto(`${vedette.url}/settings`)
    const tabs = page.getByRole('navigation', { name: 'Settings' })
    await tabs.getByRole('link', { name: 'Variables' }).click()
    await page.getByRole('heading', { name: 'Variables', level: 1 }).waitFor()
    assert.deepEqual(await tabs.locator('[aria-current=page]').allInnerTexts(), ['Variables'])
    await page.getByText('No variable yet').waitFor()
    await page.getByText('GROUP_BASE_URL').waitFor()
  })

  await t.test('a variable is added, and what cannot be one is refused at its field', async () => {
    await page.getByRole('button', { name: 'Add a variable' }).click()
    const name = dialog.getByLabel('Name')
    await name.fill('CHECK_ID')
    await dialog.getByText('A built-in variable has this name').waitFor()
    await name.fill('SHOP HOST')
    await dialog.getByLabel('Value').fill('shop.example.org')
    await dialog.getByRole('button', { name: 'Add the variable' }).click()
    await dialog.locator('[aria-invalid=true]').waitFor()
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    await name.fill('SHOP_HOST')
    await dialog.getByRole('button', { name: 'Add the variable' }).click()
    await variables.filter({ hasText: 'shop.example.org' }).waitFor()

    await page.getByRole('button', { name: 'Add a variable' }).click()
    await name.fill('SHOP_HOST')
    await dialog.getByLabel('Value').fill('again')
    await dialog.getByRole('button', { name: 'Add the variable' }).click()
    await dialog.getByText('There is a variable "SHOP_HOST" already.').waitFor()
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    await page.keyboard.press('Escape')
  })

  await t.test('a locked value is shown when it is asked for, and a secret never', async () => {
    await page.getByRole('button', { name: 'Edit SHOP_HOST' }).click()
    await dialog.getByLabel('Who may read it').selectOption('Locked')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = variables.filter({ hasText: 'SHOP_HOST' })
    await row.getByText('Locked').waitFor()
    assert.equal(await row.getByText('shop.example.org').count(), 0)
    await row.getByRole('button', { name: 'Show' }).click()
    await row.getByText('shop.example.org').waitFor()

    await page.getByRole('button', { name: 'Edit SHOP_HOST' }).click()
    await dialog.getByLabel('Who may read it').selectOption('Secret')
    await dialog.getByText('Nobody can ever read it again').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Its value is never shown again.').waitFor()
    assert.equal(await page.getByText('shop.example.org').count(), 0)
    await page.getByRole('button', { name: 'Edit SHOP_HOST' }).click()
    assert.equal(await dialog.getByLabel('New value').inputValue(), '')
    assert.ok(await dialog.getByLabel('Who may read it').isDisabled())
    await dialog.getByLabel('New value').fill('other.example.org')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  await t.test('a variable is deleted', async () => {
    await page.getByRole('button', { name: 'Delete SHOP_HOST' }).click()
    await dialog.getByText('find nothing in its place').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No variable yet').waitFor()
  })

  await t.test('a snippet is added, changed, and refused where its name is taken or no file name', async () => {
    await page.getByRole('link', { name: 'Snippets' }).click()
    await page.getByText('No snippet yet').waitFor()
    await page.getByRole('link', { name: 'Add a snippet' }).click()
    const name = page.getByLabel('Name')
    await name.fill('log/in')
    await page.getByLabel('Script').fill('export const user = "monitor"')
    await page.getByRole('button', { name: 'Add the snippet' }).click()
    await page.getByText('must be usable as a file name').waitFor()
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    await name.fill('log-in')
    await page.getByText('./snippets/log-in.js').waitFor()
    await page.getByRole('button', { name: 'Add the snippet' }).click()
    await snippets.filter({ hasText: 'log-in' }).getByText('1 line, added').waitFor()

    await send(vedette, '/v1/snippets', { name: 'greet', script: 'console.log(1)' })
    await page.getByRole('link', { name: 'Edit log-in' }).click()
    await name.fill('greet')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('There is a snippet "greet" already.').waitFor()
    await name.fill('sign-in')
    await page.getByLabel('Script').fill('export const user = "monitor"\nexport const password = "x"')
    await page.getByRole('button', { name: 'Save' }).click()
    await snippets.filter({ hasText: 'sign-in' }).getByText('2 lines, changed').waitFor()
    await snippets.filter({ hasText: 'greet' }).waitFor()
  })

  await t.test('a snippet that a check uses stays, and the page says why', async () => {
    const { id } = await send<{ id: number }>(vedette, '/v1/snippets', { name: 'used', script: 'console.log(1)' })
    await send(vedette, '/v2/check-groups', { name: 'Shop', setupSnippetId: id })
    await page.reload()
    await page.getByRole('button', { name: 'Delete used' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('A check or a group still uses this snippet.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete greet' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await snippets.filter({ hasText: 'greet' }).waitFor({ state: 'detached' })
    await snippets.filter({ hasText: 'used' }).waitFor()
  })

  await t.test('a client certificate is pasted, and its expiry is shown', async () => {
    const { cert, key } = selfSigned('lantern')
    await page.getByRole('link', { name: 'Client certificates' }).click()
    await page.getByText('No client certificate yet').waitFor()
    await page.getByRole('button', { name: 'Add a certificate' }).click()
    await dialog.getByLabel('Host').fill('*.example.org')
    await dialog.getByLabel('Certificate (PEM)').fill(cert)
    await dialog.getByLabel('Private key (PEM)').fill(key)
    await dialog.getByRole('button', { name: 'Add the certificate' }).click()
    await dialog.getByText('is needed: the key is encrypted').waitFor()
    assert.equal(await dialog.getByLabel('Passphrase').getAttribute('aria-invalid'), 'true')
    await dialog.getByLabel('Passphrase').fill('lantern')
    await dialog.getByRole('button', { name: 'Add the certificate' }).click()
    const row = certificates.filter({ hasText: '*.example.org' })
    await row.getByText('CN=self').waitFor()
    assert.match(await row.innerText(), /Expires soon\s+Expires .*, in 29 d/)
    assert.equal(await page.getByText('PRIVATE KEY').count(), 0)
  })

  await t.test('whoever may only read sees all of it and no button', async () => {
    await send(vedette, '/v1/variables', { key: 'SHOP_HOST', value: 'shop.example.org' })
    await send(vedette, '/v1/variables', { key: 'SHOP_TOKEN', value: 'lantern', locked: true })
    await signInAsReader(page, vedette)
    await page.goto(`${vedette.url}/settings/variables`)
    await variables.filter({ hasText: 'shop.example.org' }).waitFor()
    await variables.filter({ hasText: 'SHOP_TOKEN' }).getByText('Shown to those who may change settings.').waitFor()
    await assertNoButtons(page)
    await page.getByRole('link', { name: 'Snippets' }).click()
    await snippets.first().waitFor()
    await assertNoButtons(page)
    await page.getByRole('link', { name: 'sign-in' }).click()
    await page.getByText('export const password').waitFor()
    await assertNoButtons(page)
    await page.getByRole('link', { name: 'Client certificates' }).click()
    await certificates.first().waitFor()
    await assertNoButtons(page)
  })

  await t.test('the owner deletes the certificate again', async () => {
    await page.context().clearCookies()
    await page.goto(`${vedette.url}/sign-in`)
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor()
    await page.goto(`${vedette.url}/settings/client-certificates`)
    await page.getByRole('button', { name: 'Delete the certificate for *.example.org' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No client certificate yet').waitFor()
  })
})

async function assertNoButtons(page: Page): Promise<void> {
  assert.equal(await page.locator('main').getByRole('button').count(), 0)
  assert.equal(
    await page
      .locator('main')
      .getByRole('link', { name: /^(Add|Edit)/ })
      .count(),
    0,
  )
}
