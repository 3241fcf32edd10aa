/** A DNS check from its form to its result. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { openSignedIn } from './browser.ts'

/** A name server that knows one address of every name; gives its port. */
async function startNameServer(t: TestContext): Promise<string> {
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const questionEnd = query.indexOf(0, 12) + 5
    const head = Buffer.from([0, 0, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 1])
    socket.send(Buffer.concat([head, query.subarray(12, questionEnd), record]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return String(socket.address().port)
}

test('a person adds a DNS check, reads its answer, and changes it', async (t) => {
  const port = await startNameServer(t)
  const { page, vedette } = await openSignedIn(t)
  await page.goto(`${vedette.url}/checks/new`)
  await page.getByLabel('Kind').selectOption('DNS')
  await page.getByLabel('Domain name').fill('shop.test')
  await page.getByText('More settings').click()
  await page.getByRole('button', { name: 'Add assertion' }).click()
  await page.getByLabel('Property of assertion 1').fill('$.Answer[0].data')
  await page.getByLabel('Target of assertion 1').fill('192.0.2.1')
  await page.getByLabel('Host', { exact: true }).fill('127.0.0.1')
  await page.getByLabel('Port', { exact: true }).fill(port)
  await page.getByRole('button', { name: 'Add the check' }).click()

  await page.getByRole('region', { name: 'Present state' }).getByText('Passing').waitFor()
  await page.getByRole('table', { name: 'Runs, newest first' }).getByRole('link').first().click()
  const records = page.getByRole('table', { name: 'Records' })
  assert.match(await records.innerText(), /shop\.test\.\s+A\s+300\s+192\.0\.2\.1/)
  const answer = page.getByRole('region', { name: 'Answer' })
  assert.match(await answer.innerText(), /NOERROR[\s\S]*responsible for the name[\s\S]*Not signed/)
  assert.match(await page.getByRole('region', { name: 'Assertions' }).first().innerText(), /Held/)
  const question = page.getByRole('region', { name: 'Question' })
  assert.match(
    await question.innerText(),
    new RegExp(`A shop\\.test\\s+Asked of 127\\.0\\.0\\.1, port ${port}, by UDP`),
  )

  const [, checkId] = /\/checks\/([0-9a-f-]{36})/.exec(page.url()) ?? []
  await page.goto(`${vedette.url}/checks/${checkId}/edit`)
  await page.getByLabel('Record type').selectOption('PTR: name of an address')
  await page.getByLabel('Ask by').selectOption('DNS over HTTPS')
  await page.getByLabel('Path').fill('/ask')
  await page.getByLabel('Accept any certificate').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Settings', exact: true }).waitFor()
  const answered = await fetch(`${vedette.url}/v1/checks/${checkId}`, {
    headers: { authorization: `Bearer ${vedette.apiKey}` },
  })
  const { request } = Object(await answered.json())
  assert.deepEqual(request, {
    query: 'shop.test',
    recordType: 'PTR',
    protocol: 'DOH',
    path: '/ask',
    skipSSL: true,
    nameServer: '127.0.0.1',
    port: Number(port),
    assertions: [
      { source: 'JSON_ANSWER', comparison: 'EQUALS', property: '$.Answer[0].data', target: '192.0.2.1', regex: '' },
    ],
  })
})
