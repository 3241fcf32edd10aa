import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { selfSigned } from '../../testing/certificates.ts'
import { startTestServer } from '../../testing/test-server.ts'

const PASSPHRASE = 'canary-4c1d'

test('a certificate is kept, and its key and passphrase are never seen again', async (t) => {
  const server = await startTestServer(t)
  const pair = selfSigned(PASSPHRASE)
  const body = { host: '*.shop.test', ...pair, ca: pair.cert, passphrase: PASSPHRASE }
  const made = await server.call(routes.createClientCertificate, { body })
  const { id, created_at } = made
  const { validFromDate, validToDate } = new X509Certificate(pair.cert)
  const [validFrom, validTo] = [validFromDate.toISOString(), validToDate.toISOString()]
  const facts = { subject: 'CN=self', validFrom, validTo, created_at }
  assert.deepEqual(made, { id, host: '*.shop.test', cert: pair.cert, ca: pair.cert, ...facts })
  assert.deepEqual(await server.call(routes.listClientCertificates), [made])
  assert.deepEqual(await server.call(routes.getClientCertificate, { params: { id } }), made)
  await server.call(routes.deleteClientCertificate, { params: { id } })
  for (const method of ['GET', 'DELETE'])
    assert.equal((await server.send(method, `/v1/client-certificates/${id}`)).status, 404)
  const { rows } = await sql<{ entry: string }>`select a::text as entry from audit_log a`.execute(server.db)
  assert.equal(rows.length, 2)
  assert.ok(rows.every(({ entry }) => !entry.includes('PRIVATE KEY') && !entry.includes(PASSPHRASE)))
})

test('the database holds keys and passphrases encrypted only', async (t) => {
  const server = await startTestServer(t)
  const body = { host: 'shop.test', ...selfSigned(PASSPHRASE), passphrase: PASSPHRASE }
  await server.call(routes.createClientCertificate, { body })
  await server.call(routes.createClientCertificate, { body: { host: 'shop.test', ...selfSigned() } })
  const { rows } = await sql<{ text: string; has_passphrase: boolean }>`
    select c::text as text, sealed_passphrase is not null as has_passphrase
    from client_certificates c order by created_at`.execute(server.db)
  assert.deepEqual(
    rows.map((row) => row.has_passphrase),
    [true, false],
  )
  for (const { text } of rows) assert.ok(!text.includes('PRIVATE KEY') && !text.includes(PASSPHRASE))
})

test('what cannot be used is refused by the name of the field', async (t) => {
  const server = await startTestServer(t)
  const pair = selfSigned()
  const locked = selfSigned(PASSPHRASE)
  const broken = pair.cert.replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA')
  const good = { host: 'shop.test', ...pair }
  const refused: [field: string, body: Record<string, unknown>][] = [
    ['host', { ...good, host: undefined }],
    ['host', { ...good, host: 'https://shop.test' }],
    ['host', { ...good, host: 'shop.test:443' }],
    ['host', { ...good, host: 'shop.test/path' }],
    ['host', { ...good, host: 'shop..test' }],
    ['cert', { ...good, cert: undefined }],
    ['cert', { ...good, cert: 'x' }],
    ['cert', { ...good, cert: pair.key }],
    ['cert', { ...good, cert: broken }],
    ['ca', { ...good, ca: 'x' }],
    ['ca', { ...good, ca: `${pair.cert}\n${broken}` }],
    ['key', { ...good, key: undefined }],
    ['key', { ...good, key: 'x' }],
    ['key', { ...good, key: pair.cert }],
    ['key', { ...good, key: selfSigned().key }],
    ['passphrase', { ...good, ...locked }],
    ['passphrase', { ...good, ...locked, passphrase: '' }],
    ['passphrase', { ...good, ...locked, passphrase: 'wrong' }],
  ]
  for (const [index, [field, body]] of refused.entries()) {
    const { status, body: answer } = await server.send('POST', '/v1/client-certificates', { body })
    assert.equal(status, 400, `${field} ${index}`)
    assert.deepEqual(Reflect.get(Object(answer), 'validation'), { source: 'payload', keys: [field] }, `${index}`)
  }
  assert.deepEqual(await server.call(routes.listClientCertificates), [])
  const chain = { ...good, cert: `${pair.cert}${locked.cert}`, ca: `${pair.cert}\n${locked.cert}`, passphrase: null }
  assert.equal((await server.send('POST', '/v1/client-certificates', { body: chain })).status, 201)
})

test('a key that takes very long to open is refused at once', async (t) => {
  const server = await startTestServer(t)
  const { cert, key } = selfSigned()
  const options = { type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase: PASSPHRASE } as const
  const der = createPrivateKey(key).export(options)
  // 2048 rounds become almost for ever.
  const rounds = der.indexOf(Buffer.from([2, 2, 8, 0]))
  assert.notEqual(rounds, -1)
  const costly = Buffer.concat([
    der.subarray(0, rounds),
    Buffer.from([2, 4, 127, 255, 255, 255]),
    der.subarray(rounds + 4),
  ])
  const create = (bytes: Buffer) => {
    const pem = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----\n`
    const body = { host: 'shop.test', cert, key: pem, passphrase: PASSPHRASE }
    return server.send('POST', '/v1/client-certificates', { body })
  }
  assert.equal((await create(der)).status, 201)
  // The outer length may be left open, or spelt at length: it is all the same to whoever opens the key.
  const outer = der.subarray(1).readUInt8() & 0x7f
  const spellings = [[0x80], [0x87, 0, 0, 0, 0, 0, 1, 0]].map((length) =>
    Buffer.concat([Buffer.from([0x30, ...length]), costly.subarray(2 + outer)]),
  )
  for (const bytes of [costly, ...spellings]) {
    const { status, body } = await create(bytes)
    assert.equal(status, 400)
    assert.match(String(Reflect.get(Object(body), 'message')), /"key" must not be encrypted with more than/)
  }
})
