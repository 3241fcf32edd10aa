/** Why a message was not taken, in words that may be shown to whoever reads the log of notifications. */
import { type Scrub, shorten } from '@vedette/core'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'

/** What was in the way: nothing could be sent to anybody, or it is about this message, or about who was to get it. */
export type MailTrouble = 'server' | 'message' | 'recipient'

/** The message was not taken. The text holds no credentials and no address of the mail server. */
export class MailError extends Error {
  /** False: this message would be refused again. */
  readonly retry: boolean
  readonly about: MailTrouble

  constructor(message: string, { retry, about = 'server' }: { retry: boolean; about?: MailTrouble }) {
    super(message)
    this.name = 'MailError'
    this.retry = retry
    this.about = about
  }
}

type SmtpError = SMTPConnection.SMTPError

const WORDS_LIMIT = 1000
/** What is refused here is refused of the message; before them, of us, which an operator can change. */
const ABOUT_THE_MESSAGE: readonly unknown[] = ['MAIL FROM', 'RCPT TO', 'DATA']

/** Null for what is no trouble with the mail server. */
export function mailErrorOf(error: unknown, scrub: Scrub): MailError | null {
  if (error instanceof MailError) return error
  if (!(error instanceof Error)) return null
  const { code, command, response, permanent, message }: SmtpError = error
  if (code === undefined) return null
  if (response !== undefined) {
    const isAboutMessage = ABOUT_THE_MESSAGE.includes(command)
    const what = isAboutMessage ? 'the message' : refusedPhase(command)
    const words = `The mail server refused ${what}: ${serverWords(response, scrub)}`
    const about = !isAboutMessage ? 'server' : command === 'RCPT TO' ? 'recipient' : 'message'
    return new MailError(words, { retry: !(isAboutMessage && permanent === true), about })
  }
  // Found before anything was said: an address or a size that the server does not take.
  if (code === 'EENVELOPE' || code === 'EMESSAGE')
    return new MailError(`Not sent: ${serverWords(message, scrub)}`, {
      retry: false,
      about: code === 'EENVELOPE' ? 'recipient' : 'message',
    })
  return new MailError(`No answer from the mail server: ${describe(error)}`, { retry: true })
}

/** Whether a connection that had been kept was gone: the message can be tried on a new one at once. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { response, responseCode, code }: SmtpError = error
  return responseCode === 421 || (response === undefined && (code === 'ECONNECTION' || code === 'ESOCKET'))
}

/** What a server said, on one line, fit to be stored. */
export function serverWords(response: string, scrub: Scrub): string {
  return shorten(
    scrub(response.toWellFormed())
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    WORDS_LIMIT,
  )
}

function refusedPhase(command: string | undefined): string {
  if (command?.startsWith('AUTH') === true) return 'the sign-in'
  return command === 'STARTTLS' ? 'to encrypt' : 'the connection'
}

/** Never the message of the error: it names addresses of the operator’s network. */
function describe({ code, originalCode, timeoutType }: SmtpError): string {
  const names = [timeoutType, originalCode, code].filter((name) => name !== undefined)
  const known = names.find((name) => name in MEANINGS)
  return known === undefined ? `the connection failed (${names[0]})` : `${MEANINGS[known]} (${known})`
}

const MEANINGS: Readonly<Record<string, string>> = {
  CONNECT_TIMEOUT: 'the connection took too long',
  GREETING_TIMEOUT: 'it did not greet in time',
  UPGRADE_TIMEOUT: 'encryption took too long',
  SOCKET_TIMEOUT: 'it fell silent',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed by the other side',
  ENOTFOUND: 'its name is not known',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EDNS: 'its name cannot be resolved',
  ETLS: 'encryption failed',
  EAUTH: 'it offers no way to sign in',
  ECONNECTION: 'the connection was closed by the other side',
  ETIMEDOUT: 'the connection took too long',
}
