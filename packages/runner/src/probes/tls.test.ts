/** What the probe says of certificates and protocols. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import tls from 'node:tls'
import type { ApiRequest } from '@vedette/schema'
import { answering, apiSettings, listen, runContext } from '../testing/builders.ts'
import { makeAuthority, selfSigned } from '../testing/certificates.ts'
import { apiProbe } from './api.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'

test('certificates', async (t) => {
  const authority = makeAuthority()
  tls.setDefaultCACertificates([authority.cert])
  const serve = (certificate: tls.SecureContextOptions, answer = `${HEAD}content-length: 2\r\n\r\nok`) =>
    listen(t, (socket) => {
      const secure = new tls.TLSSocket(socket, { isServer: true, secureContext: tls.createSecureContext(certificate) })
      secure.on('error', () => {})
      secure.once('data', () => secure.end(answer))
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
  await t.test('a handshake is described: protocol, cipher, and the chain as it was sent', async () => {
    const { tls } = await look({ ...good, cert: good.cert + authority.cert, maxVersion: 'TLSv1.2' })
    const own = new X509Certificate(good.cert)
    assert.equal(tls?.protocol, 'TLSv1.2')
    assert.match(tls?.cipher ?? '', /^TLS_ECDHE_ECDSA_WITH_/)
    assert.deepEqual([tls?.problem, tls?.daysRemaining], [null, 1])
    assert.deepEqual(tls?.chain[0], {
      subject: 'CN=Test',
      issuer: 'CN=Test authority',
      altNames: ['localhost', '127.0.0.1'],
      validFrom: own.validFromDate.toISOString(),
      validTo: own.validToDate.toISOString(),
      fingerprint256: own.fingerprint256,
      keyType: 'ec',
      keyBits: 256,
      signatureAlgorithm: 'ecdsa-with-SHA256',
    })
    assert.deepEqual(
      tls?.chain.map(({ subject }) => subject),
      ['CN=Test', 'CN=Test authority'],
    )
  })
  await t.test('a redirect is described by where it led', async () => {
    const plain = await answering(t, `${HEAD}content-length: 2\r\n\r\nok`)
    const port = await serve(
      good,
      `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${plain}/\r\ncontent-length: 0\r\n\r\n`,
    )
    const seen = await apiProbe.observe(apiSettings({ url: `https://localhost:${port}/` }), runContext())
    assert.deepEqual([seen.response?.body, seen.tls], ['ok', null])
    // Whether the certificate expires soon is asked of the host in the address.
    const { fingerprint256, validToDate } = new X509Certificate(good.cert)
    assert.deepEqual(seen.certificate, { fingerprint256, expiresAtMs: validToDate.getTime() })
  })
  await t.test('a chain of very many is cut short', async () => {
    const { tls, response } = await look({ ...good, cert: good.cert + authority.cert.repeat(60) })
    assert.equal(response?.body, 'ok')
    assert.ok(tls !== null && tls.chain.length <= 8)
  })
  for (const [code, certificate] of Object.entries(bad)) {
    await t.test(`${code} is told, and overlooked on request`, async () => {
      const refused = await look(certificate)
      const { failure } = refused
      assert.deepEqual([failure?.code, failure?.phase, failure?.blame], [code, 'tls', 'target'])
      const overlooked = await look(certificate, { skipSSL: true })
      assert.equal(overlooked.response?.body, 'ok')
      // What was wrong can be read off the certificate, whether it was overlooked or not.
      for (const { tls } of [refused, overlooked]) {
        assert.equal(tls?.problem, failure?.message)
        assert.equal(tls?.chain[0]?.fingerprint256, new X509Certificate(certificate.cert).fingerprint256)
      }
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
