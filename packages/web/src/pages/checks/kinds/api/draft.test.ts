import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankApi, completeUrl, writeApi } from './draft.ts'

test('puts https:// in front of an address without a scheme, and of no other', () => {
  const cases = [
    ['example.org', 'https://example.org'],
    ['  example.org/health ', 'https://example.org/health'],
    ['localhost:8080', 'https://localhost:8080'],
    ['http://example.org', 'http://example.org'],
    ['HTTPS://example.org', 'HTTPS://example.org'],
    ['{{BASE_URL}}/health', '{{BASE_URL}}/health'],
  ] as const
  for (const [typed, complete] of cases) assert.equal(completeUrl(typed), complete)
})

test('an empty threshold is switched off, an empty row is left out, no credentials are none', () => {
  const { request, degradedResponseTime, maxResponseTime } = writeApi({
    ...blankApi('example.org'),
    degradedResponseTime: ' ',
    maxResponseTime: '1500',
    headers: [
      { key: 'accept', value: 'text/html', locked: false },
      { key: '', value: '', locked: false },
    ],
  })
  assert.equal(degradedResponseTime, null)
  assert.equal(maxResponseTime, 1500)
  assert.deepEqual(request.headers, [{ key: 'accept', value: 'text/html', locked: false }])
  assert.equal(request.basicAuth, null)
})

test('a script that is empty is none', () => {
  const { localSetupScript, localTearDownScript } = writeApi({
    ...blankApi('h'),
    setUpScript: ' \n',
    tearDownScript: 'x()',
  })
  assert.deepEqual([localSetupScript, localTearDownScript], [null, 'x()'])
})
