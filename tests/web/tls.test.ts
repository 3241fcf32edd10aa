/** What a result shows of a TLS handshake. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { test } from 'node:test'
import { makeAuthority } from '../../packages/runner/src/testing/certificates.ts'
import { openSignedIn, send } from './browser.ts'

test('a result shows the certificate, and what is wrong with it', async (t) => {
  const authority = makeAuthority()
  const { key, cert } = authority.issue('DNS:localhost,IP:127.0.0.1')
  const options = { key, cert: cert + authority.cert, allowHTTP1: true }
  const server = http2.createSecureServer(options, (_, response) => response.end('ok'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')

  const { page, vedette } = await openSignedIn(t)
  const { id } = await send<{ id: string }>(vedette, '/v1/checks/api', {
    name: 'Shop',
    request: { method: 'GET', url: `https://127.0.0.1:${address.port}/`, skipSSL: true },
  })
  await page.goto(`${vedette.url}/checks/${id}/edit`)
  await page.getByLabel('HTTP version').selectOption('HTTP/2 if offered')
  await page.getByRole('button', { name: 'Save' }).click()
  // The form has a button of that name too.
  await page.waitForURL(/\/checks\/[^/]+$/)
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('link', { name: /^Show the result/ }).click()

  const section = page.getByRole('region', { name: 'TLS' })
  await section.getByText('The certificate cannot be trusted: SELF_SIGNED_CERT_IN_CHAIN').waitFor()
  await section.getByText('Issuers sent along (1)').click()
  const text = await section.innerText()
  await page.getByRole('region', { name: 'Response' }).getByText('HTTP/2').waitFor()
  assert.match(text, /1 day left/)
  assert.match(text, /Connection\s+TLSv1\.3, TLS_AES_/)
  assert.match(text, /For\s+localhost, 127\.0\.0\.1/)
  assert.match(text, /Issued by\s+CN=Test authority/)
  assert.match(text, /Key\s+EC, 256 bits, signed with ecdsa-with-SHA256/)
})
