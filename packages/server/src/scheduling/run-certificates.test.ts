import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LeasedRun, routes } from '@vedette/schema'
import { selfSigned } from '../testing/certificates.ts'
import { makeCheck, makeDue } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer } from '../testing/test-server.ts'
import { mayShow, shownInHandshake } from './run-certificates.ts'

const made = (host: string, createdAtMs = 0) => ({ host, createdAtMs })

const table: [url: string, hosts: string[], given: string[]][] = [
  ['https://shop.test/', ['shop.test', '*', 'other.test'], ['shop.test']],
  ['https://API.shop.test:8443/', ['*.shop.test'], ['*.shop.test']],
  ['https://shop.test/', ['other.test'], []],
  ['http://shop.test/', ['shop.test'], []],
  ['https://[::1]:1/', ['[::1]'], ['[::1]']],
  ['https://shop.test/{{PATH}}?x={{Y}}', ['shop.test', 'b.test'], ['shop.test']],
  ['https://{{USER}}@shop.test/', ['shop.test', 'b.test'], ['shop.test']],
  ['https://{{HOST}}/', ['shop.test', 'b.test'], ['shop.test', 'b.test']],
  ['https://{{REGION}}.shop.test/', ['shop.test', 'b.test'], ['shop.test', 'b.test']],
  ['https://shop.test:{{PORT}}/', ['shop.test', 'b.test'], ['shop.test', 'b.test']],
  ['{{{BASE}}}/orders', ['shop.test', 'b.test'], ['shop.test', 'b.test']],
]
for (const [url, hosts, given] of table)
  test(`a run of ${url} may have to show ${given.join(', ') || 'nothing'} of ${hosts.join(', ')}`, () => {
    const certificates = hosts.map((host) => made(host))
    assert.deepEqual(
      mayShow(url, certificates).map(({ host }) => host),
      given,
    )
  })

const handshakes: [config: { hostname: string; serverName?: string | null }, hosts: string[], given: string[]][] = [
  [{ hostname: 'shop.test' }, ['shop.test', '*', 'other.test'], ['shop.test']],
  [{ hostname: 'shop.test' }, ['other.test'], []],
  [{ hostname: '192.0.2.1', serverName: 'api.shop.test' }, ['192.0.2.1', '*.shop.test'], ['*.shop.test']],
  [{ hostname: '192.0.2.1', serverName: null }, ['192.0.2.1', '*.shop.test'], ['192.0.2.1']],
  [{ hostname: '2001:db8::1' }, ['[2001:db8::1]'], ['[2001:db8::1]']],
]
for (const [sslConfig, hosts, given] of handshakes)
  test(`an SSL run with ${JSON.stringify(sslConfig)} shows ${given.join() || 'nothing'} of ${hosts.join(', ')}`, () => {
    const certificates = hosts.map((host) => ({ ...made(host), id: host }))
    assert.deepEqual(
      shownInHandshake({ sslConfig }, certificates).map(({ host }) => host),
      given,
    )
  })

test('an SSL run shows the certificate that its check names, whatever its host, and none instead of it', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const pair = selfSigned()
  const create = (host: string) => server.call(routes.createClientCertificate, { body: { host, ...pair } })
  await create('shop.test')
  const other = await create('other.test')
  const sslConfig = { hostname: 'shop.test', clientCertificateMode: 'explicit' as const }
  const check = await server.call(routes.createSslCheck, {
    body: {
      name: 'Certificate',
      request: { sslConfig, sslClientCertificateId: other.id.toUpperCase() },
      locations: ['us-east-1'],
    },
  })
  await makeDue(server, check)
  const run = await runner.leaseOne()
  await runner.report(run, 'passed')
  assert.deepEqual(
    run.certificates.map(({ host }) => host),
    ['other.test'],
  )

  const remove = () => server.send('DELETE', `/v1/client-certificates/${other.id}`)
  assert.equal((await remove()).status, 409)
  const auto = { request: { sslConfig: { hostname: 'shop.test' }, sslClientCertificateId: other.id } }
  await server.call(routes.updateSslCheck, { params: { id: check.id }, body: auto })
  assert.equal((await remove()).status, 204)
  await makeDue(server, check)
  const next = await runner.leaseOne()
  assert.deepEqual(
    next.certificates.map(({ host }) => host),
    ['shop.test'],
  )
  const gone = shownInHandshake({ sslConfig, sslClientCertificateId: other.id }, [{ ...made('shop.test'), id: 'x' }])
  assert.deepEqual(gone, [])
})

test('a run is given the certificates of its account that it may have to show, open and the newest last', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const ask = async (url: string): Promise<LeasedRun['certificates']> => {
    const check = await makeCheck(server, { request: { method: 'GET', url } })
    await makeDue(server, check)
    const run = await runner.leaseOne()
    await runner.report(run, 'passed')
    return run.certificates
  }
  assert.deepEqual(await ask('https://shop.test/'), [])

  const [old, young, starred] = [selfSigned(), selfSigned('mist'), selfSigned()]
  const create = (host: string, pair: typeof old, passphrase: string | null = null) =>
    server.call(routes.createClientCertificate, { body: { host, ...pair, passphrase } })
  await create('shop.test', old)
  await create('shop.test', young, 'mist')
  await create('*', starred)
  const shown = { host: 'shop.test', ...young, ca: null, passphrase: 'mist' }
  assert.deepEqual(await ask('https://shop.test/'), [shown])
  assert.deepEqual(await ask('http://shop.test/'), [])
  assert.deepEqual(
    (await ask('https://{{HOST}}/')).map(({ key }) => key),
    [old.key, young.key, starred.key],
  )
})
