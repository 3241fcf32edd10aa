/** What the probe says of certificates and protocols. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import tls from 'node:tls'
import type { ApiRequest } from '@vedette/schema'
import { apiSettings, listen, runContext } from '../testing/builders.ts'
import { makeAuthority, selfSigned } from '../testing/certificates.ts'
import { apiProbe } from './api.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'

test('certificates', async (t) => {
  const authority = makeAuthority()
  tls.setDefaultCACertificates([authority.cert])
  const serve = (certificate: tls.SecureContextOptions) =>
    listen(t, (socket) => {
      const secure = new tls.TLSSocket(socket, { isServer: true, secureContext: tls.createSecureContext(certificate) })
      secure.on('error', () => {})
      secure.once('data', () => secure.end(`${HEAD}content-length: 2\r\n\r\nok`))
    })
  const look = async (certificate: tls.SecureContextOptions, request: Partial<ApiRequest> = {}) => {
    const url = `https://localhost:${await serve(certificate)}/`
    return apiProbe.observe(apiSettings({ url, ...request }), runContext())
  }
  const good = authority.issue('DNS:localhost,IP:127.0.0.1')
  const bad = {
    CERT_HAS_EXPIRED: authority.issue('DNS:localhost', { expired: true }),
    DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned(),
    ERR_TLS_CERT_ALTNAME_INVALID: authority.issue('DNS:elsewhere.example'),
  }
  await t.test('good ones are accepted', async () => assert.equal((await look(good)).response?.body, 'ok'))
  for (const [code, certificate] of Object.entries(bad)) {
    await t.test(`${code} is told, and overlooked on request`, async () => {
      const { failure } = await look(certificate)
      assert.deepEqual([failure?.code, failure?.phase, failure?.blame], [code, 'tls', 'target'])
      assert.equal((await look(certificate, { skipSSL: true })).response?.body, 'ok')
    })
  }
  await t.test('an old protocol is told', async () => {
    const { failure } = await look({
      ...good,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    assert.equal(failure?.phase, 'tls')
    assert.equal(failure?.blame, 'target')
    assert.match(failure?.message ?? '', /TLS/)
  })
  await t.test('the address of a URL is verified as well as a name', async () => {
    const url = `https://127.0.0.1:${await serve(good)}/`
    assert.equal((await apiProbe.observe(apiSettings({ url }), runContext())).response?.body, 'ok')
  })
})
