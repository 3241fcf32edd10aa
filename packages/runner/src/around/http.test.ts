import assert from 'node:assert/strict'
import http from 'node:http'
import { type TestContext, test } from 'node:test'
import { executeRun } from '../execute-run.ts'
import { TroubleWatch } from '../own-trouble.ts'
import { leasedRun, portOf, runContext } from '../testing/builders.ts'

const tools = () => ({ dialer: runContext().dialer, watch: new TroubleWatch() })
const variable = (key: string, value: string, hidden = false) => ({ key, value, hidden })

/** Says what it was asked. */
async function echo(t: TestContext): Promise<number> {
  const server = http.createServer((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const { url, headers } = request
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ url, body, token: headers['x-token'], auth: headers.authorization }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return portOf(server)
}

test('a request goes out with the values of variables, and is told without the hidden ones', async (t) => {
  const port = await echo(t)
  const run = leasedRun(
    {
      method: 'POST',
      url: '{{BASE}}/items/{{NAME}}',
      headers: [{ key: 'x-token', value: 'T {{TOKEN}}', locked: false }],
      queryParameters: [{ key: 'q', value: '{{NAME}}', locked: false }],
      body: '{"at":"{{REQUEST_URL}}"}',
      bodyType: 'JSON',
      assertions: [
        { source: 'JSON_BODY', property: '$.token', comparison: 'EQUALS', target: 'T {{TOKEN}}' },
        { source: 'JSON_BODY', property: '$.url', comparison: 'EQUALS', target: '/items/a%20b?q=a%20b' },
      ],
    },
    {
      variables: [
        variable('BASE', `http://127.0.0.1:${port}`),
        variable('NAME', 'a b'),
        variable('TOKEN', 'canary-4711', true),
      ],
      keepDetail: true,
    },
  )
  const report = await executeRun(run, performance.now(), tools())
  assert.equal(report.error, null)
  assert.equal(report.verdict, 'passed')
  assert.ok(report.detail?.kind === 'API')
  const { request } = report.detail.content
  assert.equal(request.url, `http://127.0.0.1:${port}/items/a%20b?q=a%20b`)
  assert.equal(request.data, `{"at":"http://127.0.0.1:${port}/items/a%20b"}`)
  assert.ok(!JSON.stringify(report).includes('canary'))
})

test('settings that make no request fail the check and say why, and are not tried again as a network error', async () => {
  const rows: [Parameters<typeof leasedRun>[0], RegExp][] = [
    [{ url: '{{MISSING}}/x' }, /^ERR_INVALID_URL: the address must be valid and begin with http:\/\/ or https:\/\//],
    [{ url: 'ftp://{{HOST}}/' }, /^ERR_INVALID_URL/],
    [
      { url: 'http://h/', bodyType: 'RAW', body: '{{{LONG}}}'.repeat(40) },
      /^ERR_TEMPLATE: the text grows beyond 256 KiB/,
    ],
  ]
  const variables = [variable('LONG', 'x'.repeat(10_000)), variable('HOST', 'h')]
  for (const [request, message] of rows) {
    const report = await executeRun(leasedRun(request, { variables }), performance.now(), tools())
    assert.equal(report.verdict, 'failed')
    assert.match(report.error ?? '', message)
    assert.equal(report.networkError, false)
  }
})

test('the address of a URL check is rendered as well', async (t) => {
  const port = await echo(t)
  const {
    kind: _,
    settings,
    ...rest
  } = leasedRun({}, { variables: [variable('PORT', String(port))], keepDetail: true })
  const request = { url: 'http://127.0.0.1:{{PORT}}/x' }
  const report = await executeRun(
    { ...rest, kind: 'URL', settings: { ...settings, request } },
    performance.now(),
    tools(),
  )
  assert.equal(report.verdict, 'passed')
  assert.ok(report.detail?.kind === 'URL')
  assert.equal(report.detail.content.request.url, `http://127.0.0.1:${port}/x`)
})
