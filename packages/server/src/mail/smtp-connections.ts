/**
 * Connections to the mail server: a few at a time, kept a while for the next message. What goes wrong on one closes it, and
 * so does the end of the caller’s patience, in whatever phase it is.
 */
import type { ConnectionOptions } from 'node:tls'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { isConnectionLost, MailError } from './mail-error.ts'
import type { SmtpSettings } from './mail-settings.ts'

export interface SmtpTimes {
  connectLimitMs: number
  greetingLimitMs: number
  /** Ends a silence within a conversation, and how long an idle connection is kept. */
  silenceLimitMs: number
}

export interface SmtpOptions extends Partial<SmtpTimes> {
  /** Besides what every TLS client believes. */
  tls?: Pick<ConnectionOptions, 'ca' | 'servername'>
}

export interface Envelope {
  from: string
  to: string
}

const MOST_CONNECTIONS = 5
const NO_TIME_LEFT = new MailError('No answer from the mail server in time', { retry: true })

export class SmtpConnections {
  readonly #settings: SmtpSettings
  readonly #options: SmtpOptions
  readonly #open = new Set<SMTPConnection>()
  readonly #idle = new Set<SMTPConnection>()
  readonly #waiting = new Set<() => void>()
  #inUse = 0

  constructor(settings: SmtpSettings, options: SmtpOptions) {
    this.#settings = settings
    this.#options = options
  }

  /** Answers what the server said when it took the message. */
  async send(envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<string> {
    await this.#place(signal)
    try {
      const [kept] = this.#idle
      if (kept !== undefined) {
        try {
          return await this.#sendOn(kept, envelope, message, signal)
        } catch (error) {
          if (!isConnectionLost(error)) throw error
        }
      }
      return await this.#sendOn(await this.#connect(signal), envelope, message, signal)
    } finally {
      this.#giveBack()
    }
  }

  /** Ends what is under way, too. */
  close(): void {
    for (const connection of this.#open) connection.close()
  }

  async #place(signal: AbortSignal): Promise<void> {
    if (this.#inUse < MOST_CONNECTIONS) {
      this.#inUse += 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      this.#waiting.delete(resolve)
      reject(NO_TIME_LEFT)
    }
    this.#waiting.add(resolve)
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    await promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  /** To the one who has waited longest, if anybody does. */
  #giveBack(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#inUse -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }

  async #connect(signal: AbortSignal): Promise<SMTPConnection> {
    const { host, port, secure, requireTls, auth } = this.#settings
    const { connectLimitMs = 10_000, greetingLimitMs = 10_000, silenceLimitMs = 20_000, tls } = this.#options
    const connection = new SMTPConnection({
      host,
      port,
      secure,
      requireTLS: requireTls,
      tls,
      dnsTimeout: connectLimitMs,
      connectionTimeout: connectLimitMs,
      greetingTimeout: greetingLimitMs,
      socketTimeout: silenceLimitMs,
      socketCloseTimeout: 0,
    })
    // What goes wrong while nobody waits for it only ends the connection.
    connection.on('error', () => {})
    connection.once('end', () => {
      this.#open.delete(connection)
      this.#idle.delete(connection)
    })
    this.#open.add(connection)
    await step<void>(connection, signal, (resolve, reject) =>
      connection.connect((error) => (error === undefined ? resolve() : reject(error))),
    )
    if (auth !== null)
      // A copy: the library writes into what it is given.
      await step<void>(connection, signal, (resolve, reject) =>
        connection.login({ ...auth }, (error) => (error === null ? resolve() : reject(error))),
      )
    return connection
  }

  async #sendOn(
    connection: SMTPConnection,
    { from, to }: Envelope,
    message: Buffer,
    signal: AbortSignal,
  ): Promise<string> {
    this.#idle.delete(connection)
    const response = await step<string>(connection, signal, (resolve, reject) =>
      connection.send({ from, to: [to], size: message.length }, message, (error, info) =>
        error === null ? resolve(info.response) : reject(error),
      ),
    )
    if (this.#open.has(connection)) this.#idle.add(connection)
    return response
  }
}

/** One step of a conversation: ends with it, with the connection, or when time is over. A failure closes the connection. */
async function step<T>(
  connection: SMTPConnection,
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onAbort = () => reject(NO_TIME_LEFT)
  const onEnd = () => reject(new MailError('The connection to the mail server was closed', { retry: true }))
  connection.on('error', reject)
  connection.on('end', onEnd)
  signal.addEventListener('abort', onAbort)
  try {
    if (signal.aborted) onAbort()
    else start(resolve, reject)
    return await promise
  } catch (error) {
    connection.close()
    throw error
  } finally {
    connection.off('error', reject)
    connection.off('end', onEnd)
    signal.removeEventListener('abort', onAbort)
  }
}
