/** Host names and addresses as users write them into fields that name a host. */
import { parseIp } from './ip-address.ts'

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i

/** What is wrong with a host, as the end of a sentence; null for DNS labels or an address. */
export function problemOfHost(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (parseIp(bare) !== null) return null
  const labels = host.replace(/\.$/, '').split('.')
  if (host.length <= 253 && labels.every((label) => LABEL.test(label))) return null
  return 'must be a host name or an address'
}
