/** Alerts by e-mail with the whole product: a target that fails and recovers, and a mail server of its owner. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { startMailServer } from '../packages/server/src/mail/mail-server.fixture.ts'
import { startVedette, until } from './start-vedette.ts'

test('a failure and its recovery arrive as one conversation, and the password is nowhere', async (t) => {
  const mailServer = await startMailServer(
    t,
    {},
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
    },
  )
  let status = 500
  const target = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
  await once(target, 'listening')
  t.after(() => {
    target.closeAllConnections()
    target.close()
  })
  const address = target.address()
  assert.ok(address !== null && typeof address === 'object')

  const vedette = await startVedette(t, {
    env: { SMTP_URL: `smtp://robot:canary-1@127.0.0.1:${mailServer.port}`, MAIL_FROM: 'Vedette <vedette@example.org>' },
  })
  const call = async (path: string, body?: unknown): Promise<string> => {
    const response = await fetch(new URL(path, vedette.url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${vedette.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, text)
    return text
  }
  await call('/v1/alert-channels', { type: 'EMAIL', autoSubscribe: true, config: { address: 'ops@example.org' } })
  await call('/v1/checks/api', {
    name: 'Bücher',
    frequency: 1440,
    request: {
      method: 'GET',
      url: `http://127.0.0.1:${address.port}/`,
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }],
    },
  })
  await until('The failure arrives', () => mailServer.received.length === 1)
  status = 200
  await call('/v1/check-sessions/trigger', {})
  await until('The recovery arrives', () => mailServer.received.length === 2)

  const [failure, recovery] = mailServer.received
  assert.deepEqual([failure?.mail.subject, recovery?.mail.subject], ['Bücher has failed', 'Bücher has recovered'])
  assert.ok(failure?.mail.references)
  assert.equal(recovery?.mail.references, failure.mail.references)
  assert.notEqual(recovery.mail.messageId, failure.mail.messageId)
  assert.match(failure.mail.text ?? '', /Error: .*500/)
  let log = ''
  await until('Both are recorded', async () => {
    log = await call('/v1/alert-notifications')
    return log.match(/"SUCCESS"/g)?.length === 2
  })
  assert.match(log, /queued as 2/)
  assert.ok(!log.includes('canary') && !vedette.output().includes('canary'))
})
