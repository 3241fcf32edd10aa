import assert from 'node:assert/strict'
import http from 'node:http'
import { type TestContext, test } from 'node:test'
import type { RunReport } from '@vedette/schema'
import { executeRun } from '../execute-run.ts'
import { TroubleWatch } from '../own-trouble.ts'
import { ScriptHost } from '../scripts/script-host.ts'
import { leasedRun, portOf, runContext } from '../testing/builders.ts'

const scriptHost = new ScriptHost({ log: () => {}, allowReduced: true, limitMs: 60_000 })
const tools = () => ({ dialer: runContext().dialer, watch: new TroubleWatch(), scriptHost })

/** Says what it was asked; counts. */
async function echo(t: TestContext) {
  let asked = 0
  const server = http.createServer((request, response) => {
    asked += 1
    const { url, headers } = request
    response.end(JSON.stringify({ url, token: headers['x-token'], who: headers['x-who'] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${portOf(server)}`, asked: () => asked }
}

function contentOf({ detail }: RunReport) {
  assert.ok(detail?.kind === 'API')
  return detail.content
}

test('set-up scripts prepare the request one after the other, tear-down scripts the answer', async (t) => {
  const target = await echo(t)
  const run = leasedRun(
    {
      url: `${target.url}/{{PATH}}`,
      headers: [
        { key: 'x-token', value: 'locked-canary', locked: true },
        { key: 'x-who', value: '{{WHO}}', locked: false },
      ],
      assertions: [
        { source: 'JSON_BODY', property: '$.who', comparison: 'EQUALS', target: 'Shop changed' },
        { source: 'JSON_BODY', property: '$.token', comparison: 'EQUALS', target: 'made-canary-1' },
        { source: 'JSON_BODY', property: '$.down', comparison: 'EQUALS', target: 'yes' },
      ],
    },
    {
      variables: [
        { key: 'NAME', value: 'Shop', hidden: false },
        { key: 'CHECK_ID', value: 'id', hidden: false },
        { key: 'SECRET', value: 'secret-canary', hidden: true },
      ],
      scripts: {
        setUp: [
          "process.env.PATH = 'a b'; process.env.WHO = process.env.NAME + ' changed'; process.env.CHECK_ID = 'mine'",
          '{{> token n="1"}}\nconsole.log(process.env.WHO, process.env.SECRET, process.env.SERVICE_SECRET_T, process.env.CHECK_ID)',
        ],
        tearDown: [
          "response.body = { ...JSON.parse(response.body), down: 'yes' }; console.warn('down', response.statusCode)",
        ],
        snippets: [
          {
            name: 'token',
            script:
              "process.env.SERVICE_SECRET_T = 'made-canary-{{n}}'; request.headers['x-token'] = process.env.SERVICE_SECRET_T",
          },
        ],
      },
      keepDetail: true,
    },
  )
  const report = await executeRun(run, performance.now(), tools())
  assert.equal(report.error, null)
  const { jobLog, request } = contentOf(report)
  assert.equal(request.url, `${target.url}/a%20b`)
  const said = (phase: string) => jobLog?.[phase]?.map(({ level, msg }) => `${level} ${msg}`)
  assert.deepEqual(said('setup'), ['INFO Shop changed ******** ******** id'])
  assert.deepEqual(said('teardown'), ['WARN down 200'])
  assert.ok(!JSON.stringify(report).includes('canary'))
})

test('a set-up script that breaks fails the check, and nothing is sent', async (t) => {
  const target = await echo(t)
  for (const [script, error] of [
    ["throw new Error('no token')", 'ERR_SCRIPT: set-up script: Error: no token'],
    ['{{> missing}}', 'ERR_SCRIPT: set-up script: there is no snippet "missing"'],
    ['process.exit(0)', 'ERR_SCRIPT: set-up script: it ended without a result (exit code 0)'],
  ] as const) {
    const scripts = { setUp: [script], tearDown: [], snippets: [] }
    const report = await executeRun(leasedRun({ url: target.url }, { scripts }), performance.now(), tools())
    assert.deepEqual([report.verdict, report.error, report.networkError], ['failed', error, false])
  }
  assert.equal(target.asked(), 0)
})

test('a tear-down script that breaks fails the check, and the assertions are judged all the same', async (t) => {
  const target = await echo(t)
  const scripts = { setUp: [], tearDown: ["throw new Error('late')"], snippets: [] }
  const assertions = [{ source: 'STATUS_CODE' as const, comparison: 'EQUALS' as const, target: '200' }]
  const run = leasedRun({ url: target.url, assertions }, { scripts })
  const report = await executeRun(run, performance.now(), tools())
  assert.deepEqual([report.verdict, report.error], ['failed', 'ERR_SCRIPT: tear-down script: Error: late'])
  assert.deepEqual(
    contentOf(report).assertions.map((outcome) => outcome.error),
    [null],
  )
})

test('where scripts cannot be kept apart the run is in error, and no target is blamed', async (t) => {
  const target = await echo(t)
  const scripts = { setUp: ['1'], tearDown: [], snippets: [] }
  const { scriptHost: _, ...without } = tools()
  const report = await executeRun(leasedRun({ url: target.url }, { scripts }), performance.now(), without)
  assert.equal(report.verdict, 'error')
  assert.match(report.error ?? '', /^ERR_ISOLATION: isolation unavailable/)
  assert.equal(target.asked(), 0)
})
