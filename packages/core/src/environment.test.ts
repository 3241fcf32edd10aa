import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnvironment } from './environment.ts'

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
