/** What an operator says about the mail server and the sender, read strictly. What is wrong never repeats a password. */

export interface SmtpSettings {
  host: string
  port: number
  /** TLS from the first byte on. Otherwise STARTTLS, where the server offers it. */
  secure: boolean
  /** Nothing is said before STARTTLS, and without it nothing is sent. */
  requireTls: boolean
  auth: { user: string; pass: string } | null
}

/** Where messages come from; the name may be empty. */
export interface Sender {
  name: string
  address: string
}

export interface MailSettings {
  smtp: SmtpSettings
  from: Sender
}

const SHAPE = 'must be a URL such as smtp://user:password@mail.example.org:587 or smtps://….'
const ADDRESS = /^[^\s@<>()[\]",:;\\\p{Cc}]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/iu

/** A text: what is wrong with it. */
export function readSmtpUrl(text: string): SmtpSettings | string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') return SHAPE
  if (!['', '/'].includes(url.pathname) || url.hash !== '')
    return `${SHAPE.slice(0, -1)} In the password / ? # and @ are written %2F %3F %23 and %40.`
  const user = decoded(url.username)
  const pass = decoded(url.password)
  if (user === null || pass === null) return 'has a user or a password in which a % is not written as %25.'
  if ((user === '') !== (pass === '')) return 'must have both a user and a password, or neither.'
  const others = [...url.searchParams.keys()].filter((name) => name !== 'requireTLS')
  const wish = url.searchParams.get('requireTLS') ?? 'false'
  if (others.length > 0 || (wish !== 'true' && wish !== 'false'))
    return 'may have no parameter but requireTLS=true, which refuses to send without TLS.'
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: wish === 'true',
    auth: user === '' ? null : { user, pass },
  }
}

/** An address, or a name with the address in angle brackets. A text: what is wrong with it. */
export function readSender(text: string): Sender | string {
  const [, quoted = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? []
  const address = (bracketed ?? text).trim()
  const name = quoted.trim().replace(/^"(.*)"$/, '$1')
  if (!isMailAddress(address) || /\p{Cc}/u.test(name))
    return 'must be an address such as vedette@example.org or Vedette <vedette@example.org>.'
  return { name, address }
}

/** Whether it can stand in an envelope and in a header, as one address and nothing else. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text)
}

/** Null for what is not percent-encoded, or cannot be said to a server. */
function decoded(text: string): string | null {
  try {
    const plain = decodeURIComponent(text)
    return /\p{Cc}/u.test(plain) ? null : plain
  } catch {
    return null
  }
}
