import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiRequest, RunVariable } from '@vedette/schema'
import fc from 'fast-check'
import { mentionsTemplate, renderRequest } from './render-request.ts'
import { TemplateError } from './template-error.ts'

const helpers = { now: new Date(0), uuid: () => 'id', random: () => 0.5 }
const variables = (values: Record<string, string>): RunVariable[] =>
  Object.entries(values).map(([key, value]) => ({ key, value, hidden: false }))
const rendered = (request: Partial<ApiRequest>, values: Record<string, string>) =>
  renderRequest({ method: 'GET', url: 'http://h/', ...request } satisfies ApiRequest, variables(values), helpers)

test('a value is written as its place in the address needs it', () => {
  const values = { BASE: 'https://shop.test:8080/api?x=1', HOST: '[::1]:8080', PART: 'a/b c&d', SCHEME: 'http://' }
  const rows: [template: string, url: string][] = [
    ['{{BASE}}', 'https://shop.test:8080/api?x=1'],
    ['{{BASE}}&y={{PART}}', 'https://shop.test:8080/api?x=1&y=a%2Fb%20c%26d'],
    ['https://{{HOST}}/x', 'https://[::1]:8080/x'],
    ['https://{{PART}}/x', 'https://a%2Fb%20c%26d/x'],
    ['https://h/{{PART}}', 'https://h/a%2Fb%20c%26d'],
    ['https://h/{{{PART}}}', 'https://h/a/b c&d'],
    ['https://h/{{MISSING}}x', 'https://h/x'],
    ['{{SCHEME}}{{HOST}}/{{$UUID}}', 'http://[::1]:8080/id'],
  ]
  for (const [template, url] of rows) assert.equal(rendered({ url: template }, values).url, url, template)
})

test('headers, parameters, the body, basic auth and the targets of assertions are rendered', () => {
  const request = rendered(
    {
      url: 'http://h/{{A}}',
      bodyType: 'JSON',
      body: '{"a":"{{A}}","url":"{{REQUEST_URL}}"}',
      headers: [{ key: 'X-{{A}}', value: 'Bearer {{A}}', locked: false }],
      queryParameters: [{ key: 'q', value: '{{A}}', locked: true }],
      basicAuth: { username: '{{A}}', password: '{{{A}}}' },
      assertions: [
        { source: 'TEXT_BODY', comparison: 'EQUALS', target: '{{A}}' },
        { source: 'STATUS_CODE', comparison: 'EQUALS', target: 200 },
      ],
    },
    { A: 'a "b"\r\nc', REQUEST_URL: 'is what was rendered' },
  )
  const url = 'http://h/a%20%22b%22%0D%0Ac'
  assert.deepEqual(request, {
    method: 'GET',
    url,
    bodyType: 'JSON',
    body: `{"a":"a \\"b\\"\\r\\nc","url":"${url}"}`,
    headers: [{ key: 'X-{{A}}', value: 'Bearer a "b" c', locked: false }],
    queryParameters: [{ key: 'q', value: 'a "b"\r\nc', locked: true }],
    basicAuth: { username: 'a "b"\r\nc', password: 'a "b"\r\nc' },
    assertions: [
      { source: 'TEXT_BODY', comparison: 'EQUALS', target: 'a "b"\r\nc' },
      { source: 'STATUS_CODE', comparison: 'EQUALS', target: 200 },
    ],
  })
})

test('a body is encoded by its type, and by its content type where it has one', () => {
  const xml = [{ key: 'content-type', value: 'text/xml', locked: false }]
  const rows: [Partial<ApiRequest>, string][] = [
    [{ bodyType: 'JSON' }, 'a\\"&<'],
    [{ bodyType: 'GRAPHQL' }, 'a\\"&<'],
    [{ bodyType: 'FORM' }, 'a%22%26%3C'],
    [{ bodyType: 'RAW' }, 'a"&<'],
    [{ bodyType: 'RAW', headers: xml }, 'a&quot;&amp;&lt;'],
  ]
  for (const [request, body] of rows) assert.equal(rendered({ ...request, body: '{{A}}' }, { A: 'a"&<' }).body, body)
})

test('a JSON body stays JSON and says the value, whatever the value is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { body = '' } = rendered({ bodyType: 'JSON', body: '{"a":"{{A}}"}' }, { A: value })
      assert.deepEqual(JSON.parse(body), { a: value })
    }),
  )
})

test('behind the host a value stays one component of the address, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { url } = rendered({ url: 'http://h/a/{{A}}/b?c={{A}}#d' }, { A: value })
      const { host, pathname, searchParams, hash } = new URL(url)
      assert.equal(host, 'h')
      assert.equal(hash, '#d')
      // A path takes dots as steps; nothing else in a value may move it.
      if (!/^\.{1,2}$/.test(value)) assert.equal(pathname, `/a/${encodeURIComponent(value.toWellFormed())}/b`)
      assert.deepEqual([...searchParams], [['c', value.toWellFormed()]])
    }),
  )
})

test('a request without templates is left as it is', () => {
  const request = { method: 'GET', url: 'http://h/', body: '{ {x} }' } satisfies ApiRequest
  assert.equal(renderRequest(request, [], helpers), request)
  assert.equal(mentionsTemplate(request), false)
  assert.equal(mentionsTemplate({ headers: [{ value: 'a {{b}}' }] }), true)
})

test('a template that grows without end is refused', () => {
  const body = '{{{A}}}'.repeat(300)
  assert.throws(() => rendered({ body, bodyType: 'RAW' }, { A: 'x'.repeat(1024) }), TemplateError)
})
