/** A mail server on loopback, which keeps what it is sent and answers as it is told. */
import { once } from 'node:events'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createLog, type Log } from '../log.ts'
import { readSender, readSmtpUrl } from './mail-settings.ts'
import { createMailer, type Mailer } from './mailer.ts'
import type { SmtpOptions } from './smtp-connections.ts'

/** Something to end after the test; `TestContext` is one. */
export interface Ends {
  after(end: () => unknown): void
}

export interface ReceivedMail {
  envelope: { from: string; to: string[] }
  wasEncrypted: boolean
  user: string | undefined
  mail: Email
  /** The value of a header, by its name in lower case. */
  header(name: string): string | undefined
}

export interface MailServer {
  port: number
  received: ReceivedMail[]
  /** How many have connected so far. */
  connections(): number
  /** Ends every connection, as a server does that is restarted. */
  cutConnections(): void
}

/** What the server has to say to a recipient, or to the nth message. Null: it takes it. */
export interface Answers {
  toRecipient?: (address: string) => string | null
  toMessage?: (count: number) => string | null
}

export async function startMailServer(
  t: Ends,
  { toRecipient = () => null, toMessage = () => null }: Answers = {},
  options: SMTPServerOptions = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let connections = 0
  let messages = 0
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onRcptTo({ address }, _session, done) {
      done(refusal(toRecipient(address)))
    },
    onData(stream, { envelope, secure, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        messages += 1
        const refused = refusal(toMessage(messages))
        if (refused !== null) return done(refused)
        const raw = Buffer.concat(chunks)
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        const mail = await PostalMime.parse(raw)
        received.push({
          envelope: { from, to },
          wasEncrypted: secure,
          user: typeof user === 'string' ? user : undefined,
          mail,
          header: (name) => mail.headers.find(({ key }) => key === name)?.value,
        })
        done(null, `2.0.0 Ok: queued as ${messages}`)
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.after(() => {
    for (const connection of server.connections) connection.close()
    listening.close()
  })
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server does not listen on a port')
  return {
    port: address.port,
    received,
    connections: () => connections,
    cutConnections: () => {
      for (const connection of server.connections) connection.close()
    },
  }
}

/** "550 5.1.1 No such user" as the error from which the server makes that answer. */
export function refusal(answer: string | null): Error | null {
  if (answer === null) return null
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) })
}

export interface MailerOptions extends SmtpOptions {
  log?: Log
  /** `user:password@` */
  credentials?: string
  scheme?: 'smtp' | 'smtps'
  query?: string
  from?: string
}

export function aMailer(
  t: Ends,
  port: number,
  {
    log = createLog('error', () => {}),
    credentials = '',
    scheme = 'smtp',
    query = '',
    from = 'Vedette <vedette@example.org>',
    ...options
  }: MailerOptions = {},
): Mailer {
  const smtp = readSmtpUrl(`${scheme}://${credentials}127.0.0.1:${port}${query}`)
  const sender = readSender(from)
  if (typeof smtp === 'string' || typeof sender === 'string') throw new Error(`Wrong settings: ${smtp} ${sender}`)
  const mailer = createMailer({ smtp, from: sender }, log, options)
  t.after(() => mailer.close())
  return mailer
}
