import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankDns, writeDns } from './draft.ts'

test('a new check asks for the host of the address that was given', () => {
  assert.equal(blankDns('https://shop.test:8443/cart?x=1').query, 'shop.test')
  assert.deepEqual(writeDns(blankDns('shop.test')).request, { query: 'shop.test', recordType: 'A', assertions: [] })
})

test('any certificate may be accepted where there is one', () => {
  const draft = { ...blankDns('shop.test'), nameServer: 'ns1.shop.test', skipSSL: true }
  assert.deepEqual(
    (['UDP_OR_TCP', 'TCP', 'DOT', 'DOH'] as const).map((askBy) => writeDns({ ...draft, askBy }).request.skipSSL),
    [undefined, undefined, true, true],
  )
})

test('a name server has the usual port of the protocol unless another is typed', () => {
  const draft = { ...blankDns('shop.test'), nameServer: ' ns1.shop.test ' }
  assert.deepEqual(
    [draft, { ...draft, askBy: 'DOT' as const }, { ...draft, port: '5353' }].map((one) => {
      const { nameServer, port, protocol } = writeDns(one).request
      return [nameServer, port, protocol]
    }),
    [
      ['ns1.shop.test', 53, undefined],
      ['ns1.shop.test', 853, 'DOT'],
      ['ns1.shop.test', 5353, undefined],
    ],
  )
})
