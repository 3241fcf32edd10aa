/** Checks that have their settings from a group. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSignedIn, send } from './browser.ts'
import { startTarget } from './target.ts'

test('a check in a group', async (t) => {
  const target = await startTarget(t)
  const { page, vedette } = await openSignedIn(t)
  const { id } = await send<{ id: string }>(vedette, '/v1/checks/api', {
    name: 'Front',
    request: { method: 'GET', url: target.url },
  })
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  const setting = (name: string) => settings.locator('div:has(> dt)').filter({ hasText: name })
  const state = page.getByRole('region', { name: 'Present state' })

  await t.test('a group is made, with an opinion on some settings', async () => {
    await page.goto(vedette.url)
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByText('No group yet').waitFor()
    await page.getByRole('link', { name: 'Add a group' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByText('more locations').click()
    await page.getByLabel('Frankfurt').check()
    await page.getByLabel('A failed attempt is tried again').selectOption('not at all')
    await page.getByText('Defaults of API checks').click()
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name of header 1').fill('x-team')
    await page.getByLabel('Value of header 1').fill('shop')
    await page.getByRole('button', { name: 'Add the group' }).click()
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
    await page.getByText('No check in this group yet').waitFor()
    assert.match(await setting('Tried again').innerText(), /not at all/)
    assert.match(await setting('Alert').innerText(), /as each check says/)
  })

  await t.test(
    'the form of a check says where its group overrides it, and its page where settings come from',
    async () => {
      await page.goto(`${vedette.url}/checks/${id}/edit`)
      assert.equal(await page.getByText('It decides: not at all.').count(), 0)
      await page.getByLabel('Group', { exact: true }).selectOption('Shop')
      await page.getByText('It decides: not at all.').waitFor()
      await page.getByText('It runs its checks in Frankfurt').waitFor()
      await page.getByText('It adds 1 header').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()

      await settings.getByText('in the group Shop').waitFor()
      assert.match(await setting('Tried again').innerText(), /not at all group/)
      assert.match(await setting('Locations').innerText(), /Frankfurt group/)
      assert.match(await setting('Request').innerText(), /1 header also group/)
      assert.match(await setting('Alert').innerText(), /account/)
      assert.doesNotMatch(await setting('Runs').innerText(), /group/)
      await setting('Locations').getByRole('link', { name: 'group' }).click()
      await page.getByRole('list', { name: 'Checks of the group' }).getByRole('link', { name: 'Front' }).waitFor()
    },
  )

  await t.test('a paused group pauses its checks, and they say so', async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('list', { name: 'Checks of the group' }).getByText('Paused').waitFor()
    await page.getByRole('link', { name: 'Front' }).click()
    await state.getByText('by its group').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Run now' }).isDisabled())
    await state.getByRole('link', { name: 'group' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
  })

  await t.test('a group is only deleted when it is empty', async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'This group is not empty' }).getByText('1 check').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Take out Front' }).click()
    await page.getByText('No check in this group yet').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this group?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No group yet').waitFor()
  })

  await t.test('a check is added from the page of its group', async () => {
    const group = await send<{ id: number }>(vedette, '/v2/check-groups', { name: 'Blog', muted: true })
    await page.goto(`${vedette.url}/groups/${group.id}`)
    await page.getByRole('link', { name: 'Add a check' }).click()
    await page.getByLabel('Address').fill(target.url)
    await page.getByText('It is muted, and so is the check.').waitFor()
    await page.getByRole('button', { name: 'Add the check' }).click()
    await state.getByText('Muted').waitFor()
    await settings.getByText('in the group Blog').waitFor()
  })

  await t.test('variables of the group count among those of its checks, and the page says whose they are', async () => {
    const group = await send<{ id: number }>(vedette, '/v2/check-groups', {
      name: 'Buying',
      environmentVariables: [{ key: 'USER', value: 'ada' }],
    })
    const check = await send<{ id: string }>(vedette, '/v1/checks/browser', {
      name: 'Buy',
      script: '',
      groupId: group.id,
      environmentVariables: [{ key: 'PAGE', value: '/' }],
    })
    await page.goto(`${vedette.url}/checks/${check.id}`)
    await setting('Variables').waitFor()
    assert.match(await setting('Variables').innerText(), /2 also group/)
  })

  await t.test('a group is given variables in its form, and what is secret stays so', async () => {
    await page.goto(`${vedette.url}/groups/new`)
    await page.getByLabel('Name', { exact: true }).fill('With variables')
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Name of variable 1').fill('TOKEN')
    await page.getByLabel('Value of variable 1').fill('lantern')
    await page.getByLabel('Who may read variable 1').selectOption('Secret')
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Name of variable 2').fill('USER')
    await page.getByLabel('Value of variable 2').fill('ada\nlovelace')
    await page.getByRole('button', { name: 'Add the group' }).click()
    await page.getByRole('heading', { name: 'With variables', level: 1 }).waitFor()
    assert.match(await setting('Variables').innerText(), /TOKEN, USER/)

    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(await page.getByLabel('Value of variable 1').inputValue(), '')
    assert.equal(await page.getByLabel('Value of variable 2').inputValue(), 'ada\nlovelace')
    assert.ok(await page.getByLabel('Who may read variable 1').isDisabled())
    await page.getByLabel('Name of variable 1').fill('OTHER')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('is required').first().waitFor()
    await page.getByLabel('Name of variable 1').fill('TOKEN')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'With variables', level: 1 }).waitFor()
    assert.match(await setting('Variables').innerText(), /TOKEN, USER/)
  })
})
