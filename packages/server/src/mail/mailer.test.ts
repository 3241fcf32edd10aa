import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createLog } from '../log.ts'
import { selfSigned } from '../testing/certificates.ts'
import { MailError } from './mail-error.ts'
import { aMailer, refusal, startMailServer } from './mail-server.fixture.ts'
import type { Mail } from './mailer.ts'

const aMail = (more: Partial<Mail> = {}): Mail => ({
  id: '0a0c0e10-0000-8000-8000-000000000003',
  threadId: null,
  to: 'ops@example.org',
  subject: 'Orders API has failed',
  text: 'It has failed.\n',
  html: '<p>It has failed.</p>',
  headers: {},
  ...more,
})
const patience = () => AbortSignal.timeout(60_000)

async function refused(sending: Promise<string>): Promise<MailError> {
  const error: unknown = await sending.then(
    () => new Error('It was taken'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof MailError, String(error))
  return error
}

/** Takes connections and never says a word, or only the given ones. */
async function startMute(t: TestContext, greeting = ''): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.resume()
    if (greeting !== '') socket.write(greeting)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return { port: address.port, sockets }
}

test('a message arrives as it was written, from the sender that was set', async (t) => {
  const server = await startMailServer(t)
  const mailer = aMailer(t, server.port, { from: '"Wächter, Nord" <vedette@example.org>' })
  const text = 'Größe: 3 µm\n.\n..two dots\nlast line\n'
  const answer = await mailer.send(aMail({ text, threadId: 'abc', headers: { 'X-Mine': 'yes' } }), patience())
  assert.equal(answer, '250 2.0.0 Ok: queued as 1')
  const [{ envelope, mail, header } = assert.fail()] = server.received
  assert.deepEqual(envelope, { from: 'vedette@example.org', to: ['ops@example.org'] })
  assert.deepEqual(mail.from, { name: 'Wächter, Nord', address: 'vedette@example.org' })
  assert.equal(mail.subject, 'Orders API has failed')
  assert.equal(mail.text?.trimEnd(), text.trimEnd())
  assert.equal(mail.messageId, '<0a0c0e10-0000-8000-8000-000000000003@example.org>')
  assert.equal(mail.inReplyTo, '<abc@example.org>')
  assert.equal(mail.references, '<abc@example.org>')
  assert.equal(header('auto-submitted'), 'auto-generated')
  assert.equal(header('x-mine'), 'yes')
})

test('a subject cannot begin another header, whatever is in it', async (t) => {
  const server = await startMailServer(t)
  const mailer = aMailer(t, server.port)
  const subject = 'Shop\r\nBcc: eve@example.org\r\n\r\n<b>x</b>\u2028y\0z\u202e\ud800'
  await mailer.send(aMail({ subject }), patience())
  const [{ envelope, mail } = assert.fail()] = server.received
  assert.equal(mail.subject, 'Shop Bcc: eve@example.org <b>x</b> y z\ufffd')
  assert.equal(mail.bcc, undefined)
  assert.deepEqual(envelope.to, ['ops@example.org'])
})

test('an address that is more than one address is not sent to', async (t) => {
  const server = await startMailServer(t)
  const mailer = aMailer(t, server.port)
  const wrong = [
    '',
    'ops',
    'a@b.test, c@d.test',
    'a@b.test\r\nRCPT TO:<c@d.test>',
    '<a@b.test>',
    'a b@c.test',
    'a@b@c.test',
  ]
  for (const to of wrong) assert.equal((await refused(mailer.send(aMail({ to }), patience()))).retry, false, to)
  assert.equal(server.connections(), 0)
})

test('a connection is kept for the next message, and replaced when the server has closed it', async (t) => {
  const server = await startMailServer(t)
  const mailer = aMailer(t, server.port)
  for (const id of ['1', '2', '3']) await mailer.send(aMail({ id }), patience())
  assert.equal(server.connections(), 1)
  server.cutConnections()
  await mailer.send(aMail({ id: '4' }), patience())
  assert.equal(server.connections(), 2)
  assert.equal(server.received.length, 4)
})

test('many messages at once share a few connections, and all arrive', async (t) => {
  const server = await startMailServer(t)
  const mailer = aMailer(t, server.port)
  await Promise.all(Array.from({ length: 30 }, (_, id) => mailer.send(aMail({ id: String(id) }), patience())))
  assert.equal(new Set(server.received.map(({ mail }) => mail.messageId)).size, 30)
  assert.equal(server.connections(), 5)
})

test('it signs in with what the URL holds, special characters included', async (t) => {
  const tried: unknown[] = []
  const server = await startMailServer(
    t,
    {},
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        tried.push([username, password])
        done(null, { user: username })
      },
    },
  )
  await aMailer(t, server.port, { credentials: 'ops%40example.org:p%40ss%2F%25%3A%C3%BC@' }).send(aMail(), patience())
  assert.deepEqual(tried, [['ops@example.org', 'p@ss/%:ü']])
  assert.equal(server.received[0]?.user, 'ops@example.org')
})

test('a refused sign-in is tried again later, and what is said of it holds no credentials', async (t) => {
  const saidAtOnce = Buffer.from('\0robot\0canary-1').toString('base64')
  const server = await startMailServer(
    t,
    {},
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(refusal(`535 5.7.8 No: ${username} ${password} ${saidAtOnce} ${encodeURIComponent(password ?? '')}`)),
    },
  )
  const lines: string[] = []
  const mailer = aMailer(t, server.port, {
    credentials: 'robot:canary-1@',
    log: createLog('debug', (line) => lines.push(line)),
  })
  for (const _ of ['once', 'twice']) {
    const error = await refused(mailer.send(aMail(), patience()))
    assert.equal(error.retry, true)
    assert.match(error.message, /^The mail server refused the sign-in: 535 /)
    for (const secret of ['canary', saidAtOnce, 'robot']) assert.ok(!error.message.includes(secret), error.message)
  }
  assert.equal(lines.length, 1, 'an outage is told once')
  assert.ok(!lines.join('').includes('canary') && !lines.join('').includes(saidAtOnce))
})

const certificate = selfSigned()
const believed = { ca: certificate.cert, servername: 'self' }

test('what a server offers to encrypt is encrypted', async (t) => {
  const server = await startMailServer(t, {}, { ...certificate, hideSTARTTLS: false })
  await aMailer(t, server.port, { tls: believed }).send(aMail(), patience())
  assert.equal(server.received[0]?.wasEncrypted, true)
})

test('smtps:// is encrypted from the first byte on', async (t) => {
  const server = await startMailServer(t, {}, { ...certificate, secure: true })
  await aMailer(t, server.port, { scheme: 'smtps', tls: believed }).send(aMail(), patience())
  assert.equal(server.received[0]?.wasEncrypted, true)
})

test('a certificate that cannot be believed keeps the message and the password from being sent', async (t) => {
  const tried: unknown[] = []
  const onAuth = (auth: unknown) => tried.push(auth)
  const startTls = await startMailServer(t, {}, { ...certificate, hideSTARTTLS: false, onAuth })
  const fromTheStart = await startMailServer(t, {}, { ...certificate, secure: true, onAuth })
  for (const [server, scheme] of [
    [startTls, 'smtp'],
    [fromTheStart, 'smtps'],
  ] as const) {
    const error = await refused(
      aMailer(t, server.port, { scheme, credentials: 'robot:canary@' }).send(aMail(), patience()),
    )
    assert.equal(error.retry, true)
    assert.match(error.message, /encryption failed|signed by itself/)
    assert.equal(server.received.length, 0)
  }
  assert.deepEqual(tried, [])
})

test('with requireTLS nothing is sent to a server that does not encrypt', async (t) => {
  const server = await startMailServer(t)
  const error = await refused(aMailer(t, server.port, { query: '?requireTLS=true' }).send(aMail(), patience()))
  assert.equal(error.retry, true)
  assert.equal(server.received.length, 0)
})

test('a recipient that is refused for good is not tried again, one that is put off is', async (t) => {
  const server = await startMailServer(t, {
    toRecipient: (address) =>
      address.startsWith('nobody') ? '550 5.1.1 No such user here' : '451 4.7.1 Come back later',
  })
  const mailer = aMailer(t, server.port)
  const forGood = await refused(mailer.send(aMail({ to: 'nobody@example.org' }), patience()))
  assert.deepEqual(
    [forGood.message, forGood.retry],
    ['The mail server refused the message: 550 5.1.1 No such user here', false],
  )
  const forNow = await refused(mailer.send(aMail({ to: 'later@example.org' }), patience()))
  assert.deepEqual(
    [forNow.message, forNow.retry],
    ['The mail server refused the message: 451 4.7.1 Come back later', true],
  )
})

test('a message that is refused when it has been read counts alike', async (t) => {
  const server = await startMailServer(t, {
    toMessage: (count) => (count === 1 ? '554 5.7.1 Spam' : '452 4.3.1 Disk full'),
  })
  const mailer = aMailer(t, server.port)
  const [forGood, forNow] = [
    await refused(mailer.send(aMail(), patience())),
    await refused(mailer.send(aMail(), patience())),
  ]
  assert.deepEqual([forGood.retry, forNow.retry], [false, true])
  assert.match(forGood.message, /554 5\.7\.1 Spam/)
})

for (const [phase, greeting] of [
  ['greet', ''],
  ['answer', '220 mute\r\n'],
] as const)
  test(`a server that does not ${phase} is left when patience ends, and its connection is closed`, async (t) => {
    const mute = await startMute(t, greeting)
    const patience = new AbortController()
    const sending = refused(aMailer(t, mute.port).send(aMail(), patience.signal))
    while (mute.sockets.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    patience.abort()
    const error = await sending
    assert.deepEqual([error.message, error.retry], ['No answer from the mail server in time', true])
    const [socket] = mute.sockets
    if (socket?.closed === false) await new Promise((resolve) => socket.once('close', resolve))
  })

test('a server that does not greet is left after a while even when there is patience', async (t) => {
  const mute = await startMute(t)
  const error = await refused(aMailer(t, mute.port, { greetingLimitMs: 50 }).send(aMail(), patience()))
  assert.deepEqual(
    [error.message, error.retry],
    ['No answer from the mail server: it did not greet in time (GREETING_TIMEOUT)', true],
  )
})

test('those who wait for a connection do not wait longer than their patience', async (t) => {
  const mute = await startMute(t)
  const mailer = aMailer(t, mute.port)
  const first = new AbortController()
  const hanging = Array.from({ length: 5 }, () => refused(mailer.send(aMail(), first.signal)))
  const second = new AbortController()
  const waiting = Array.from({ length: 3 }, () => refused(mailer.send(aMail(), second.signal)))
  while (mute.sockets.length < 5) await new Promise((resolve) => setTimeout(resolve, 5))
  second.abort()
  for (const { retry } of await Promise.all(waiting)) assert.equal(retry, true)
  assert.equal(mute.sockets.length, 5)
  first.abort()
  await Promise.all(hanging)
})

test('a server that is down is trouble for now, and its address is not told', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  await new Promise((resolve) => server.close(resolve))
  const error = await refused(aMailer(t, address.port).send(aMail(), patience()))
  assert.deepEqual(
    [error.message, error.retry],
    ['No answer from the mail server: the connection was refused (ECONNREFUSED)', true],
  )
})
