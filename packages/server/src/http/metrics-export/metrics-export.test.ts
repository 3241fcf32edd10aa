import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { consoleMessage, scriptRun, seenPage } from '@vedette/core/testing/script-runs'
import { routes } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { addResults } from '../../testing/results.ts'
import { scriptReport } from '../../testing/script-reports.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { until } from '../../testing/until.ts'

async function scrape(server: TestServer, query = ''): Promise<{ text: string; lines: string[] }> {
  const { rawKey } = await server.call(routes.createMetricsToken, { body: { name: 'collector' } })
  const path = `/accounts/${server.accountId}/v2/prometheus/metrics${query}`
  const { status, headers, body } = await server.send('GET', path, { key: rawKey })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  return { text: String(body), lines: String(body).split('\n') }
}

/** A result each of a passing and a failing attempt, in the hour that goes on. */
async function aBusyCheck(server: TestServer) {
  const check = await makeCheck(server, { name: 'Shop "till"', tags: ['shop', 'team:web'] })
  const runner = await signInRunner(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  const atMs = Date.now()
  const result = { atMs, responseTimeMs: 120, phases: [1, 2, 3, 113, 1], statusCode: 200 }
  await addResults(server, check, [
    { ...result, verdict: 'passed', location: 'us-east-1' },
    { ...result, verdict: 'degraded', location: 'eu-west-1', responseTimeMs: 4000 },
    { ...result, verdict: 'failed', location: 'us-east-1', final: false },
  ])
  return check
}

test('metrics tell of every check how it is doing, what came of its runs and how long they took', async (t) => {
  const server = await startTestServer(t)
  const { id } = await aBusyCheck(server)
  const { text, lines } = await scrape(server)
  const labels = `name="Shop \\"till\\"",check_id="${id}",check_type="api",muted="false",activated="true",group="",tags="shop",team="web"`
  assert.ok(lines.includes(`service_check_status{${labels},status="failing"} 1`), text)
  assert.ok(lines.includes(`service_check_status{${labels},status="passing"} 0`))
  assert.ok(lines.includes(`service_check_result_total{${labels},status="passing"} 1`))
  assert.ok(lines.includes(`service_check_result_total{${labels},status="degraded"} 1`))
  const timing = 'service_api_check_timing_seconds'
  assert.ok(lines.includes(`# TYPE ${timing} histogram`))
  assert.ok(lines.some((line) => line.startsWith(`${timing}_bucket{${labels},type="total",le="5"}`)))
  for (const type of ['wait', 'dns', 'tcp', 'firstByte', 'download', 'total'])
    assert.match(text, new RegExp(`${timing}_count\\{[^}]*type="${type}"\\} [23]`))
  assert.ok(!text.includes('service_tcp'))
})

test('labels and attempts are as asked for', async (t) => {
  const server = await startTestServer(t)
  await aBusyCheck(server)
  const placed = await scrape(server, '?locationLabelEnabled=true&disableTagParsing=true')
  assert.match(
    placed.text,
    /service_check_result_total\{[^}]*tags="shop,team:web",location="eu-west-1",status="degraded"\} 1/,
  )
  assert.match(placed.text, /service_check_status\{[^}]*tags="shop,team:web",status="failing"\} 1/)
  const failing = (text: string) => /service_check_result_total\{[^}]*status="failing"\} (\d+)/.exec(text)?.[1]
  const [finals, attempts] = [await scrape(server), await scrape(server, '?includeRetryAttempts=true')]
  assert.equal(Number(failing(attempts.text)), Number(failing(finals.text)) + 1)
})

test('scripts tell how long they take, how fast their pages are and what went wrong in them', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Checkout', script: '// look', locations: ['us-east-1' as const], retryStrategy: null }
  const [browser, steps] = [
    await server.call(routes.createBrowserCheck, { body }),
    await server.call(routes.createMultiStepCheck, { body }),
  ]
  const run = scriptRun({
    pages: [seenPage('http://shop.test/', [250, 400, 900, 0.25, null]), seenPage('http://shop.test/basket')],
    console: [consoleMessage('no price'), consoleMessage('no stock')],
  })
  const runner = await signInRunner(server)
  await makeDue(server, browser)
  await runner.report(await runner.leaseOne(), 'passed', scriptReport('BROWSER', run))
  await makeDue(server, steps)
  await runner.report(await runner.leaseOne(), 'passed', scriptReport('MULTI_STEP', run))
  const { text } = await scrape(server)
  const value = (name: string, ...labels: string[]) => {
    const line = text
      .split('\n')
      .find((one) => one.startsWith(`${name}{`) && labels.every((label) => one.includes(label)))
    return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ') + 1))
  }
  for (const kind of ['browser', 'multistep']) {
    assert.equal(value(`service_${kind}_check_duration_seconds_sum`), 1.2)
    assert.equal(value(`service_${kind}_check_duration_seconds_bucket`, 'le="1"'), 0)
  }
  const vitals = 'service_browser_check_web_vitals_seconds'
  assert.deepEqual(
    ['TTFB', 'FCP', 'LCP', 'CLS', 'TBT'].map((type) => value(`${vitals}_sum`, `type="${type}"`)),
    [0.25, 0.4, 0.9, 0.25, null],
  )
  assert.equal(value(`${vitals}_count`, 'type="TTFB"'), 1)
  const errors = 'service_browser_check_errors'
  assert.deepEqual(
    ['console', 'network', 'user_script', 'document'].map((type) => value(`${errors}_sum`, `type="${type}"`)),
    [2, 0, 0, 0],
  )
  assert.deepEqual(
    ['0', '1', '2', '+Inf'].map((le) => value(`${errors}_bucket`, 'type="console"', `le="${le}"`)),
    [0, 0, 1, 1],
  )
})

test('private locations tell what waits there and who serves them', async (t) => {
  const server = await startTestServer(t)
  const location = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const check = await makeCheck(server, { locations: [], privateLocations: ['cellar'] })
  await makeDue(server, check, 5000)
  const { lines, text } = await scrape(server)
  const labels = `private_location_name="Cellar",private_location_slug_name="cellar",private_location_id="${location.id}"`
  assert.ok(lines.includes(`service_private_location_queue_size{${labels}} 1`), text)
  assert.ok(lines.includes(`service_private_location_agent_count{${labels}} 0`))
  assert.match(text, /oldest_scheduled_check_run\{[^}]*\} [5-9]/)
})

test('a token opens the metrics of its account and nothing else, until it is deleted', async (t) => {
  const server = await startTestServer(t)
  const token = await server.call(routes.createMetricsToken, { body: { name: 'collector' } })
  const path = `/accounts/${server.accountId}/v2/prometheus/metrics`
  const statusWith = async (key: string | null, at = path) => (await server.send('GET', at, { key })).status
  assert.equal(await statusWith(token.rawKey), 200)
  assert.deepEqual([await statusWith(null), await statusWith(server.apiKey)], [401, 401])
  assert.equal(await statusWith(token.rawKey, '/v1/checks'), 401)
  const other = await server.addAccount()
  assert.equal(await statusWith(token.rawKey, `/accounts/${other}/v2/prometheus/metrics`), 401)

  const listed = await server.call(routes.listMetricsTokens)
  assert.deepEqual(listed, [{ ...token, rawKey: '' }])
  assert.equal(
    (await server.send('GET', '/v1/accounts/me/metrics-tokens', { key: await server.keyFor('READ_WRITE') })).status,
    403,
  )
  await server.call(routes.deleteMetricsToken, { params: { id: token.id } })
  assert.equal(await statusWith(token.rawKey), 401)
  const log = await server.db.selectFrom('audit_log').select(['operation', 'before', 'after']).orderBy('id').execute()
  const written = JSON.stringify(log)
  assert.ok(!written.includes(token.rawKey))
  assert.equal(log.filter(({ operation }) => operation.includes('metrics-tokens')).length, 2)
})

test('heartbeats tell when they were last heard of and how often that should be', async (t) => {
  const server = await startTestServer(t)
  const pingToken = randomUUID()
  const heartbeat = { period: 5, periodUnit: 'minutes' as const, grace: 1, graceUnit: 'minutes' as const, pingToken }
  const { id } = await server.call(routes.createHeartbeatCheck, { body: { name: 'Backup', heartbeat } })
  const of = (text: string, name: string) =>
    new RegExp(`${name}\\{[^}]*check_id="${id}"[^}]*\\} (\\S+)`).exec(text)?.[1]
  const before = await scrape(server)
  assert.equal(of(before.text, 'service_heartbeat_expected_interval_seconds'), '300')
  assert.equal(of(before.text, 'service_heartbeat_last_success_timestamp_seconds'), '0')
  await server.call(routes.ping, { params: { pingToken } })
  const after = await scrape(server, '?disableTagParsing=true')
  assert.ok(
    Math.abs(Number(of(after.text, 'service_heartbeat_last_success_timestamp_seconds')) * 1000 - Date.now()) < 60_000,
  )
})

test('SSL checks tell how long handshakes take, and all that see a certificate when it expires', async (t) => {
  const server = await startTestServer(t)
  const sslConfig = { hostname: '192.0.2.1', serverName: 'shop.test' }
  const check = await server.call(routes.createSslCheck, {
    body: { name: 'Certificate', request: { sslConfig }, locations: ['us-east-1'] },
  })
  const api = await makeCheck(server, { request: { method: 'GET', url: 'https://old.test/' } })
  const runner = await signInRunner(server)
  const certificate = { fingerprint256: 'AA', expiresAtMs: Date.now() + 86_400_000 }
  for (const one of [check, api]) {
    await makeDue(server, one)
    await runner.report(await runner.leaseOne(), 'passed', { certificate, phases: [1, 256, 1.3, 100, 100] })
  }
  const body = { request: { method: 'GET' as const, url: 'https://new.test/' } }
  await server.call(routes.updateApiCheck, { params: { id: api.id }, body })
  const { text, lines } = await scrape(server, '?locationLabelEnabled=true')
  const expiries = lines.filter((line) => line.startsWith('service_time_to_ssl_expiry_seconds{'))
  assert.equal(expiries.length, 1, 'what was seen at the old address is of no interest')
  const [, labels, seconds] = /\{(.*)\} (\d+)$/.exec(expiries[0] ?? '') ?? []
  assert.match(labels ?? '', /check_type="ssl".*domain="shop\.test"/)
  assert.ok(!labels?.includes('location='))
  assert.ok(Number(seconds) > 86_000 && Number(seconds) <= 86_400, seconds)
  assert.match(text, /service_ssl_monitor_timing_seconds_count\{[^}]*type="handshake"\} 1/)
  assert.ok(!/service_ssl_monitor_timing_seconds[^}]*type="(daysUntilExpiry|tlsVersion)"/.test(text))
})

test('a collector is counted by its token: nobody else locks it out', async (t) => {
  const server = await startTestServer(t, { env: { RATE_LIMIT: '600' } })
  const [token, other] = [
    await server.call(routes.createMetricsToken, { body: { name: 'collector' } }),
    await server.call(routes.createMetricsToken, { body: { name: 'another' } }),
  ]
  const ask = async (key: string | null, accountId = server.accountId) =>
    (await server.send('GET', `/accounts/${accountId}/v2/prometheus/metrics`, { key })).status
  const asked: number[] = []
  for (let i = 0; i < 51; i++) asked.push(await ask('pm_wrong'))
  for (let i = 0; i < 51; i++) asked.push(await ask(null))
  assert.deepEqual([...new Set(asked)], [401, 429])
  const right: number[] = []
  for (let i = 0; i < 25; i++)
    right.push(await ask(token.rawKey), await ask(token.rawKey, server.accountId.toUpperCase()))
  assert.deepEqual([...new Set(right)], [200])
  assert.deepEqual([await ask(token.rawKey), await ask(other.rawKey)], [429, 200])
})

test('metrics tell how scripts are kept apart where a location is served, and how busy runners are with them', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Cellar', slugName: 'cellar' }
  const { keys } = await server.call(routes.createPrivateLocation, { body })
  const runner = await signInRunner(server, keys[0]?.rawKey)
  await runner.sayIsolation({ level: 'strict', layers: ['seccomp'] })
  await runner.sayLoad({ running: 4, waiting: 2, turnedAway: 7 })
  await (await signInRunner(server)).sayIsolation({ level: 'reduced', layers: [] })
  // Who is there is looked up once a second, and metrics are kept for a minute.
  await until('the server has seen both', async () => {
    const [location] = await server.call(routes.listLocations)
    return location?.isolation?.level === 'reduced'
  })
  const { lines } = await scrape(server)
  const { name, id } =
    (await server.call(routes.getOperations)).runners.find(({ scriptLoad }) => scriptLoad !== null) ?? {}
  const busy = `{runner="${name}",runner_id="${id}",location="cellar"`
  for (const [state, value] of Object.entries({ running: 4, waiting: 2 }))
    assert.ok(lines.includes(`service_runner_script_runs${busy},state="${state}"} ${value}`))
  assert.deepEqual(
    lines.filter((line) => line.startsWith('service_runner_script_runs_turned_away_total{')),
    [`service_runner_script_runs_turned_away_total${busy}} 7`],
  )
  for (const [level, value] of Object.entries({ strict: 1, namespaces: 0, reduced: 0, none: 0 }))
    assert.ok(lines.includes(`service_location_script_isolation{location="cellar",level="${level}"} ${value}`))
  assert.ok(lines.includes('service_location_script_isolation_layer{location="cellar",layer="seccomp"} 1'))
  assert.ok(lines.includes('service_location_script_isolation_layer{location="cellar",layer="cgroup"} 0'))
  assert.ok(lines.includes('service_location_script_isolation{location="eu-west-1",level="reduced"} 1'))
})
