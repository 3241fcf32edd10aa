/** Alert channels of every type are made and changed. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../packages/server/src/alerting/receiver.fixture.ts'
import { openSignedIn } from './browser.ts'

interface Sample {
  type: string
  /** What is typed and chosen, by label. */
  fill: Record<string, string>
  choose?: Record<string, string>
  title: string
  shown?: string
}

const samples: Sample[] = [
  { type: 'E-mail', fill: { Address: 'ops@example.org' }, title: 'ops@example.org' },
  {
    type: 'Slack',
    fill: { 'URL of the incoming webhook': 'https://hooks.example.org/services/room', Channel: '#operations' },
    title: '#operations',
    shown: 'https://hooks.example.org/services/room',
  },
  { type: 'SMS', fill: { Name: 'Alice', Number: '+351210000000' }, title: 'Alice', shown: '+351210000000' },
  {
    type: 'PagerDuty',
    fill: { 'Integration key': 'key-of-the-service', Service: 'Shop', Account: 'example' },
    title: 'Shop',
    shown: 'example',
  },
  {
    type: 'Opsgenie',
    fill: { Name: 'Night shift', 'API key': 'key-of-the-team' },
    choose: { Region: 'EU', Priority: 'P2' },
    title: 'Night shift',
    shown: 'P2 in EU',
  },
  { type: 'Telephone call', fill: { Number: '+351210000001' }, title: '+351210000001' },
]

test('channels of every type', async (t) => {
  const { page, vedette } = await openSignedIn(t)
  await page.goto(`${vedette.url}/alerts`)
  const dialog = page.getByRole('dialog')

  for (const { type, fill, choose = {}, title, shown } of samples) {
    await t.test(`${type}: made, read back and changed`, async () => {
      await page.getByRole('button', { name: 'Add a channel' }).click()
      await dialog.getByLabel('Type').selectOption({ label: type })
      for (const [label, text] of Object.entries(fill)) await dialog.getByLabel(label, { exact: true }).fill(text)
      for (const [label, word] of Object.entries(choose))
        await dialog.getByLabel(label, { exact: true }).selectOption(word)
      await dialog.getByRole('button', { name: 'Add the channel' }).click()
      await dialog.waitFor({ state: 'detached' })

      const row = page.getByRole('listitem').filter({ hasText: title })
      await row.getByText(type, { exact: true }).waitFor()
      if (shown !== undefined) await row.getByText(shown, { exact: true }).waitFor()

      await page.getByRole('button', { name: `Edit ${title}` }).click()
      assert.equal(await dialog.getByLabel('Type').count(), 0)
      for (const [label, text] of Object.entries(fill))
        assert.equal(await dialog.getByLabel(label, { exact: true }).inputValue(), text)
      for (const [label, word] of Object.entries(choose))
        assert.equal(await dialog.getByLabel(label, { exact: true }).inputValue(), word)
      await dialog.getByLabel('Degradations').check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row.getByText('hears of failures, degradations, recoveries').waitFor()
    })
  }

  await t.test('a channel has another one as its fallback, but not each the other', async () => {
    const fallback = dialog.getByLabel('When it cannot be reached')
    await page.getByRole('button', { name: 'Edit Shop' }).click()
    await fallback.selectOption({ label: 'Alice, SMS' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'PagerDuty' })
    await row.getByText('Alice hears what it does not take').waitFor()

    await page.getByRole('button', { name: 'Edit Alice' }).click()
    assert.equal(await fallback.getByText('Alice, SMS').count(), 0)
    await fallback.selectOption({ label: 'Shop, PagerDuty' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await fallback.getAttribute('aria-invalid'), 'true')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('what the server refuses is said at its field', async () => {
    await page.getByRole('button', { name: 'Add a channel' }).click()
    await dialog.getByLabel('Type').selectOption({ label: 'Slack' })
    const url = dialog.getByLabel('URL of the incoming webhook')
    await url.fill('hooks.example.org')
    await dialog.getByRole('button', { name: 'Add the channel' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await url.getAttribute('aria-invalid'), 'true')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('a webhook made for a chat service has its body filled in, and a test shows what was said', async () => {
    const chat = await startReceiver(t, (_, response) => response.writeHead(400).end('no such room'))
    await page.getByRole('button', { name: 'Add a channel' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Room')
    await dialog.getByLabel('URL', { exact: true }).fill(`${chat.url}/hook`)
    await dialog.getByText('Body, headers and signature').click()
    const template = dialog.getByLabel('Body template')
    await dialog.getByLabel('Made for').selectOption({ label: 'Telegram' })
    assert.equal(await dialog.getByLabel('Name of query parameter 1').inputValue(), 'chat_id')
    await dialog.getByLabel('Made for').selectOption({ label: 'Google Chat' })
    assert.match(await template.inputValue(), /^\{"text": /)
    await dialog.getByRole('button', { name: 'Add the channel' }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Send a test to Room' }).click()
    await dialog.getByLabel('Message').selectOption({ label: 'A recovery' })
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('Not accepted: a real message would be tried again.').waitFor()
    await dialog.getByText('HTTP 400').waitFor()
    await dialog.getByText('no such room').waitFor()
    await dialog.getByText(`POST ${chat.url}/hook`).waitFor()
    assert.match(chat.received[0]?.body ?? '', /Test: Sample check has recovered/)
  })
})
