/** What may stand as the address of a public page, and where the links on it may lead. Reasons complete a sentence that begins with the field. */
import { problemOfHost } from './host-name.ts'
import { parseIp } from './ip-address.ts'

const LABEL = /^[a-z0-9-]{1,63}$/i

function isLabel(text: string): boolean {
  return LABEL.test(text) && !text.startsWith('-') && !text.endsWith('-')
}

/** Why a text cannot be one label of a host name; null if it can. */
export function problemOfSubDomain(text: string): string | null {
  return isLabel(text) ? null : 'must have 1 to 63 letters, digits and hyphens, and neither begin nor end with a hyphen'
}

/** Why a text cannot be the host name of a page; null if it can. Addresses and names without a dot cannot. */
export function problemOfDomain(text: string): string | null {
  const labels = text.split('.')
  const isHost = text.length <= 253 && labels.length >= 2 && labels.every(isLabel)
  // A last label of digits makes browsers read the whole as an address.
  return isHost && /^[a-z]/i.test(labels.at(-1) ?? '') ? null : 'must be a host name such as status.example.org'
}

/** Who, a name or an address in brackets, and a port. Nothing of it may part what stands in a header of the page. */
const AUTHORITY =
  /^https:\/\/(?:[\w.~!$&'()*+=:%-]*@)?(?<host>[a-z0-9._-]+|\[[0-9a-f.]*:[0-9a-f:.]*\])(?::(?<port>\d{1,5}))?(?=[/?#]|$)/i
const HIGHEST_PORT = 65_535

/**
 * Why a page may not link to a text; null if it may. Browsers drop control characters and read `\` as `/`: neither may
 * smuggle in another host or scheme. An address on another host is one that browsers can read.
 */
export function problemOfLink(text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const isPlain = !/[\u0000-\u0020\u007f\\]/.test(text)
  const isOwnPath = text.startsWith('/') && !text.startsWith('//')
  return isPlain && (isOwnPath || leadsToHost(text))
    ? null
    : 'must be an address that begins with https:// or a path that begins with one /'
}

function leadsToHost(text: string): boolean {
  const { host = '', port = '0' } = AUTHORITY.exec(text)?.groups ?? {}
  if (host === '' || Number(port) > HIGHEST_PORT || problemOfHost(host) !== null) return false
  // Browsers read a name as an address if it ends in a number, also in `0x7f`.
  const last = host.replace(/\.$/, '').split('.').at(-1) ?? ''
  return host.startsWith('[') || parseIp(host) !== null || !/^(\d+|0x[0-9a-f]*)$/i.test(last)
}
