import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnvironment, inEnvironment } from './environment.ts'

test('the host, and the scheme where one is named, are those of the environment; the rest stays', () => {
  const table = [
    ['https://shop.test/cart?a=1#x', 'https://preview-7.test', 'https://preview-7.test/cart?a=1#x'],
    ['http://shop.test/cart', 'preview-7.test:8080', 'http://preview-7.test:8080/cart'],
    ['http://shop.test/cart', 'https://preview-7.test/ignored/', 'https://preview-7.test/cart'],
    ['https://shop.test', 'preview-7.test', 'https://preview-7.test'],
    ['{{{GROUP_BASE_URL}}}/orders', 'https://preview-7.test', 'https://preview-7.test/orders'],
    ['https://{{HOST}}/orders/{{ID}}', 'preview-7.test', 'https://preview-7.test/orders/{{ID}}'],
    ['https://shop.test/cart', '', 'https://shop.test/cart'],
  ] as const
  for (const [url, environment, expected] of table) assert.equal(atEnvironment(url, environment), expected)
})

test('locked values and credentials go to no other host than the check’s own', () => {
  const request = {
    method: 'GET',
    url: 'https://shop.test/cart',
    headers: [
      { key: 'Accept', value: 'text/html', locked: false },
      { key: 'X-Secret', value: 'canary', locked: true },
      { key: 'authorization', value: 'Bearer canary', locked: false },
    ],
    queryParameters: [
      { key: 'page', value: '1', locked: false },
      { key: 'token', value: 'canary', locked: true },
    ],
    basicAuth: { username: 'ada', password: 'canary' },
  } as const
  const own = { ...request, headers: [...request.headers], queryParameters: [...request.queryParameters] }
  for (const elsewhere of [
    'https://preview.test',
    'http://shop.test',
    'https://shop.test:8443',
    'shop.test.evil.test',
  ]) {
    const asked = inEnvironment(own, elsewhere)
    assert.ok(!JSON.stringify(asked).includes('canary'), elsewhere)
    assert.deepEqual(
      asked.headers?.map(({ key }) => key),
      ['Accept'],
    )
    assert.deepEqual(
      asked.queryParameters?.map(({ key }) => key),
      ['page'],
    )
  }
  assert.deepEqual(inEnvironment(own, 'https://SHOP.test'), { ...own, url: 'https://SHOP.test/cart' })
})
