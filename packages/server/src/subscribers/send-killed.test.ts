/** A server is killed after the mail server has read a message and before that could be recorded. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { routes } from '@vedette/schema'
import { aMailer, startMailServer } from '../mail/mail-server.fixture.ts'
import { makeService } from '../testing/pages.ts'
import { startTestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'

const SENDER = fileURLToPath(new URL('sender.fixture.ts', import.meta.url))

test('a mail whose sender was killed is sent again, as the same message, and none is lost', async (t) => {
  let sender: ChildProcess | undefined
  const mails = await startMailServer(t, {
    toMessage: (count) => {
      if (count === 1) sender?.kill('SIGKILL')
      return null
    },
  })
  const secretKey = randomBytes(32)
  const server = await startTestServer(t, { secretKey, mailer: aMailer(t, mails.port) })
  const { id } = await makeService(server)
  const cards = [{ name: 'Shop', services: [{ id }] }]
  const page = await server.call(routes.createStatusPage, { body: { name: 'Lantern', url: 'lantern', cards } })
  const subscriptions = ['ann', 'bob', 'cid'].map((name) => ({ address: `${name}@example.org` }))
  await server.call(routes.createStatusPageSubscriptions, {
    params: { statusPageId: page.id },
    body: { subscriptions, autoVerify: true },
  })
  await server.call(routes.createStatusPageIncident, {
    body: {
      ...{ name: 'Orders are delayed', severity: 'MAJOR', services: [{ id }] },
      incidentUpdates: [{ description: 'We look into it.', notifySubscribers: true }],
    },
  })
  const startSender = () => {
    const env = {
      PATH: process.env.PATH ?? '',
      TEST_DATABASE: server.databaseUrl,
      TEST_KEY: secretKey.toString('hex'),
      TEST_MAIL_PORT: String(mails.port),
    }
    const child = spawn(process.execPath, [SENDER], { env, stdio: 'inherit' })
    t.after(() => child.kill('SIGKILL'))
    return child
  }
  const waiting = () => server.db.selectFrom('status_page_mails').select('id').execute()

  const killed = startSender()
  sender = killed
  await until('it was killed', () => killed.signalCode === 'SIGKILL', 30_000)
  assert.ok((await waiting()).length >= 1)
  startSender()
  const news = () => server.db.selectFrom('status_page_news').select('page_id').execute()
  await until('all were sent', async () => (await news()).length + (await waiting()).length === 0, 30_000)

  const told = mails.received.map(({ envelope, mail }) => `${envelope.to[0]} ${mail.messageId}`)
  assert.equal(new Set(told).size, 3, 'a repeat is the same message')
  assert.ok(told.length > 3, 'what was not recorded is sent again')
})
