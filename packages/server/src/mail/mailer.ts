/** Sends mail through the operator’s mail server. Knows nothing of what a message is about, nor of trying again. */
import { type Scrub, scrubber } from '@vedette/core'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Log } from '../log.ts'
import { MailError, mailErrorOf, serverWords } from './mail-error.ts'
import { isMailAddress, type MailSettings, type Sender } from './mail-settings.ts'
import { maskAddresses } from './mask-address.ts'
import { SmtpConnections, type SmtpOptions } from './smtp-connections.ts'

export interface Mail {
  /** Names the message: sent once more under the same id it is the same message, which mail programs show once. */
  id: string
  /** What messages have in common that mail programs are to show together. */
  threadId: string | null
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** Besides those that every message of ours has. */
  headers: Readonly<Record<string, string>>
}

export interface Mailer {
  /**
   * Answers what the mail server said when it took the message.
   *
   * @throws MailError when it was not taken
   */
  send(mail: Mail, signal: AbortSignal): Promise<string>
  close(): void
}

export function createMailer({ smtp, from }: MailSettings, log: Log, options: SmtpOptions = {}): Mailer {
  const connections = new SmtpConnections(smtp, options)
  const scrub = credentialsScrubber(smtp.auth, from)
  let inTrouble = false
  return {
    async send(mail, signal) {
      if (!isMailAddress(mail.to))
        throw new MailError('Not sent: the address is not one', { retry: false, about: 'recipient' })
      try {
        const message = await compose(mail, from)
        const answer = await connections.send({ from: from.address, to: mail.to }, message, signal)
        if (inTrouble) log.info('The mail server takes messages again')
        inTrouble = false
        return serverWords(answer, scrub)
      } catch (error) {
        const known = mailErrorOf(error, scrub)
        if (known === null) throw error
        // Once for an outage, not once a message.
        if (known.retry && !inTrouble)
          log.warn('The mail server does not take messages', { reason: maskAddresses(known.message) })
        inTrouble ||= known.retry
        throw known
      }
    },
    close: () => connections.close(),
  }
}

async function compose(mail: Mail, from: Sender): Promise<Buffer> {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const thread = mail.threadId === null ? {} : { inReplyTo: `<${mail.threadId}@${domain}>` }
  const composer = new MailComposer({
    from,
    to: { name: '', address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${domain}>`,
    ...thread,
    references: thread.inReplyTo,
    // Programs that answer mail leave these alone.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...mail.headers },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** Nothing that could begin another header, or turn around how the line reads. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
}

/** Servers repeat what they are told. The sender’s address is no secret, even where it is the user’s name. */
function credentialsScrubber(auth: MailSettings['smtp']['auth'], { address }: Sender): Scrub {
  if (auth === null) return (text) => text
  const { user, pass } = auth
  const saidAtOnce = Buffer.from(`\0${user}\0${pass}`).toString('base64')
  return scrubber([pass, saidAtOnce, ...(user === address ? [] : [user])])
}
