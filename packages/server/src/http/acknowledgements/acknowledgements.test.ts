import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes, type Verdict } from '@vedette/schema'
import { acknowledgeLinks } from '../../alerting/acknowledge-link.ts'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer } from '../../testing/test-server.ts'

test('who may run checks may say to be on their trouble, once, and take it back', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const path = `/v1/checks/${check.id}/acknowledgement`
  const shown = async () => {
    const [overview] = await server.call(routes.overviewChecks, { query: { checkId: check.id } })
    const status = await server.call(routes.getCheckStatus, { params: { checkId: check.id } })
    assert.deepEqual(overview?.acknowledgement, status.acknowledgement)
    return status.acknowledgement
  }
  const refused = await server.send('POST', path)
  assert.deepEqual(
    [refused.status, Reflect.get(Object(refused.body), 'message')],
    [409, 'The check is not in trouble: nothing to acknowledge.'],
  )
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  assert.equal(await shown(), null)

  const key = await server.keyFor('READ_RUN')
  const params = { id: check.id }
  const first = await server.call(routes.acknowledgeCheck, { key, params, body: { note: ' The disk is full. ' } })
  assert.deepEqual([first.by, first.note], ['READ_RUN', 'The disk is full.'])
  assert.deepEqual(await server.call(routes.acknowledgeCheck, { params, body: { note: 'Me too' } }), first)
  assert.deepEqual(await shown(), first)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  assert.deepEqual(await shown(), first, 'the trouble goes on')

  const reader = await server.keyFor('READ_ONLY')
  assert.equal((await server.send('DELETE', path, { key: reader })).status, 403)
  assert.equal((await server.send('DELETE', path, { key })).status, 204)
  assert.equal((await server.send('DELETE', path)).status, 404)
  assert.equal(await shown(), null)
  const { entries } = await server.call(routes.listAuditLog, { query: { subject: check.id } })
  assert.deepEqual(entries.map(({ operation, actor }) => `${operation} ${actor.name}`).slice(0, 2), [
    'DELETE /v1/checks/{id}/acknowledgement READ_RUN',
    'POST /v1/checks/{id}/acknowledgement READ_RUN',
  ])
})

test('the link of a message shows what is in trouble, and only its button acknowledges', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const body = { type: 'WEBHOOK' as const, config: { name: 'pager <b>', url: 'http://pager.test/' } }
  const channel = await server.call(routes.createAlertChannel, { body })
  const check = await makeCheck(server, { name: 'Orders <script>' })
  const end = async (verdict: Verdict) => {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict)
  }
  await end('failed')
  const { message } = await server.db.selectFrom('notifications').select('message').executeTakeFirstOrThrow()
  const link = (channelId: number, nowMs: number) =>
    acknowledgeLinks(
      server.secrets,
      (token) => `/acknowledge/${token}`,
      () => nowMs,
    )(message, channelId) ?? assert.fail()
  const { url, secret } = link(channel.id, Date.now())
  const open = async (path: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') => {
    const form = method === 'POST' ? { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {}
    const answer = await fetch(new URL(path, server.url), { method, ...form })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const status = () => server.call(routes.getCheckStatus, { params: { checkId: check.id } })

  for (const method of ['HEAD', 'GET', 'GET'] as const) assert.equal((await open(url, method)).status, 200)
  assert.equal((await status()).acknowledgement, null)
  const page = await open(url)
  assert.match(page.text, /<h1>Orders &lt;script&gt; is failing<\/h1>/)
  assert.match(page.text, /<form method="post"><button type="submit">/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'.*form-action 'self'/)

  const done = await open(url, 'POST')
  assert.equal(done.status, 200)
  assert.match(done.text, /Acknowledged<\/b> by link from pager &lt;b&gt;,/)
  assert.doesNotMatch(done.text, /<form/)
  const acknowledgement = (await status()).acknowledgement
  assert.equal(acknowledgement?.by, 'link from pager <b>')
  await open(url, 'POST')
  assert.deepEqual((await status()).acknowledgement, acknowledgement)
  const { entries } = await server.call(routes.listAuditLog, { query: { operation: 'POST /acknowledge/{token}' } })
  assert.deepEqual(
    entries.map(({ actor, subject }) => [actor.type, actor.name, subject]),
    [['link', 'link from pager <b>', check.id]],
  )
  assert.ok(!JSON.stringify(entries).includes(secret))

  await end('passed')
  await end('failed')
  const over = await open(url, 'POST')
  assert.match(over.text, /This trouble is over/)
  assert.equal((await status()).acknowledgement, null, 'the next trouble has a link of its own')

  const forged = secret.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
  for (const path of [`/acknowledge/${forged}`, '/acknowledge/x'])
    for (const method of ['GET', 'POST'] as const) {
      const { status, text } = await open(path, method)
      assert.equal(status, 404)
      assert.doesNotMatch(text, /Orders/)
    }
  for (const old of [link(channel.id, Date.now() - 8 * 86_400_000), link(channel.id + 1, Date.now())]) {
    const { status, text } = await open(old.url, 'POST')
    assert.equal(status, 410)
    assert.doesNotMatch(text, /Orders/)
  }
})

test('a stranger at the same address keeps nobody from acknowledging', async (t) => {
  const server = await startTestServer(t, { env: { RATE_LIMIT: '600' } })
  const runner = await signInRunner(server)
  const body = { type: 'WEBHOOK' as const, config: { name: 'pager', url: 'http://pager.test/' } }
  const channel = await server.call(routes.createAlertChannel, { body })
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  const { message } = await server.db.selectFrom('notifications').select('message').executeTakeFirstOrThrow()
  const links = acknowledgeLinks(server.secrets, (token) => `/acknowledge/${token}`, Date.now)
  const { url } = links(message, channel.id) ?? assert.fail()
  const statusOf = async (path: string) => (await fetch(new URL(path, server.url))).status
  const seen: number[] = []
  for (let tries = 0; tries < 300; tries++) seen.push(await statusOf('/acknowledge/x'))
  assert.deepEqual([seen[0], seen.at(-1)], [404, 429])
  for (let tries = 0; tries < 5; tries++) assert.equal(await statusOf(url), 200)
})
