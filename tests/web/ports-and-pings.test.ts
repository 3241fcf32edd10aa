/** TCP and ICMP checks, from the form to a run. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openSignedIn } from './browser.ts'

/** Answers PING as Redis does; gives its port. */
async function startCache(t: TestContext): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (asked) => socket.end(String(asked) === 'PING\r\n' ? '+PONG\r\n' : '-ERR\r\n'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The cache has no port')
  return address.port
}

test('ports and pings', async (t) => {
  const port = await startCache(t)
  const { page, vedette } = await openSignedIn(t)
  const runs = page.getByRole('table', { name: 'Runs, newest first' })

  await t.test('a TCP check sends a text and judges what comes back', async () => {
    await page.goto(`${vedette.url}/checks/new`)
    await page.getByLabel('Kind').selectOption('TCP')
    await page.getByLabel('Host').fill('localhost')
    await page.getByLabel('Port').fill(String(port))
    await page.getByText('More settings').click()
    await page.getByLabel('Text to send').fill('PING\n')
    await page.getByRole('button', { name: 'Add assertion' }).click()
    await page.getByLabel('Comparison of assertion 1').selectOption('contains')
    await page.getByLabel('Target of assertion 1').fill('PONG')
    await page.getByRole('button', { name: 'Add the check' }).click()

    await page.getByRole('heading', { name: `localhost:${port}` }).waitFor()
    await runs.getByRole('link').first().click()
    assert.match(await page.getByRole('region', { name: 'Assertions' }).first().innerText(), /Held[\s\S]*PONG/)
    const phases = page.getByRole('table', { name: 'Phases of the connection' })
    assert.match(await phases.innerText(), /DNS[\s\S]*Connect[\s\S]*Data[\s\S]*In all/)
    assert.match(await page.getByRole('region', { name: 'Response' }).innerText(), /from 127\.0\.0\.1[\s\S]*\+PONG/)
    assert.match(await page.getByRole('region', { name: 'Request' }).innerText(), /PING/)
  })

  await t.test('the form of a TCP check is filled with what was kept', async () => {
    await page.goBack()
    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(await page.getByLabel('Text to send').inputValue(), 'PING\n')
    assert.equal(await page.getByLabel('Line breaks').inputValue(), 'CRLF')
    await page.getByLabel('Text to send').fill('')
    await page.getByRole('button', { name: 'Remove assertion 1' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    // The form has a button of that name too.
    await page.waitForURL(/\/checks\/[^/]+$/)
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('link', { name: /^Show the result/ }).click()
    await page.getByText('The connection was made; nothing was asked or expected over it.').waitFor()
  })

  await t.test('an ICMP check pings a host, or says why this runner cannot', async () => {
    await page.goto(`${vedette.url}/checks/new`)
    await page.getByLabel('Kind').selectOption('ICMP')
    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByText('More settings').click()
    await page.getByLabel('Pings a run').fill('3')
    await page.getByRole('button', { name: 'Add the check' }).click()

    await page.getByRole('heading', { name: 'Ping 127.0.0.1' }).waitFor()
    await runs.getByRole('link').first().click()
    const pings = page.getByRole('region', { name: 'Pings' })
    await pings.waitFor()
    if (/None was sent/.test(await pings.innerText())) {
      await page
        .getByText(/ERR_NO_PING|ERR_PING_NOT_PERMITTED/)
        .first()
        .waitFor()
      return
    }
    assert.match(await pings.innerText(), /to 127\.0\.0\.1[\s\S]*0 of 3 \(0 %\)/)
    assert.equal(await page.getByRole('region', { name: 'Each ping' }).getByRole('row').count(), 4)
  })
})
