import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseCertificate } from './client-certificate.ts'

const made = (host: string, createdAtMs = 0) => ({ host, createdAtMs })

const table: [host: string, certificates: string[], chosen: string | null][] = [
  ['shop.test', [], null],
  ['shop.test', ['other.test'], null],
  ['shop.test', ['shop.test'], 'shop.test'],
  ['SHOP.test', ['shop.TEST'], 'shop.TEST'],
  ['api.shop.test', ['*.shop.test'], '*.shop.test'],
  ['shop.test', ['*.shop.test'], null],
  ['a.b.shop.test', ['*.shop.test'], '*.shop.test'],
  ['api.shop.test', ['*', 'api.shop.test', '*.shop.test'], 'api.shop.test'],
  ['api-7.shop.test', ['api-*.shop.*'], 'api-*.shop.*'],
  ['shop.test.evil', ['*.test', 'shop.test'], null],
  ['shopXtest', ['shop.test'], null],
]
for (const [host, hosts, chosen] of table)
  test(`${host} is shown ${chosen ?? 'nothing'} of ${hosts.join(', ') || 'nothing'}`, () => {
    assert.equal(
      chooseCertificate(
        host,
        hosts.map((name) => made(name)),
      )?.host ?? null,
      chosen,
    )
  })

test('of equals the newest is shown, in whichever order they come', () => {
  const certificates = [made('*.test', 1), made('shop.*', 3), made('*', 2)]
  for (const order of [certificates, certificates.toReversed()])
    assert.equal(chooseCertificate('shop.test', order)?.createdAtMs, 3)
  const exact = [made('shop.test', 1), made('*', 9), made('shop.test', 2)]
  assert.equal(chooseCertificate('shop.test', exact)?.createdAtMs, 2)
})

test('a star stands for any characters, as a regular expression would say', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 12 })
  const host = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 })
  fc.assert(
    fc.property(word, host, (pattern, name) => {
      const expected = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(name)
      assert.equal(chooseCertificate(name, [made(pattern)]) !== null, expected)
    }),
  )
})

test('no pattern takes long', () => {
  const startedAt = performance.now()
  chooseCertificate('a'.repeat(253), [made(`${'*a'.repeat(126)}b`)])
  assert.ok(performance.now() - startedAt < 50)
})
