/**
 * Where outgoing connections may go. The verdict is on the numeric address that is dialled, never on a spelling: names
 * are resolved first, and all their answers are judged. A refusal is our decision, never a failure of the target.
 */
import { type Cidr, type IpAddress, isWithin, parseCidr, parseIp } from './ip-address.ts'

export const ADDRESS_CLASSES = [
  'public',
  'loopback',
  'private',
  'unique-local',
  'shared',
  'link-local',
  'metadata',
  'unspecified',
  'multicast',
  'reserved',
  'transition',
] as const
export type AddressClass = (typeof ADDRESS_CLASSES)[number]

/** Who dials: a check from the server's own machine, a check from a private location, or an alert channel. */
export const EGRESS_PRESETS = ['check-built-in', 'check-private-location', 'channel'] as const
export type EgressPreset = (typeof EGRESS_PRESETS)[number]

/** Listed addresses are allowed whatever their class; denied ones are refused even if listed. */
export interface EgressPolicy {
  preset: EgressPreset
  allow: readonly Cidr[]
  deny: readonly Cidr[]
}

export type EgressDecision = { allowed: true } | { allowed: false; reason: string }

/** A policy from lists of networks such as `10.0.0.0/8`. Throws on a text that is no network. */
export function egressPolicy(preset: EgressPreset, lists: { allow?: string[]; deny?: string[] } = {}): EgressPolicy {
  return { preset, allow: (lists.allow ?? []).map(network), deny: (lists.deny ?? []).map(network) }
}

function network(text: string): Cidr {
  const cidr = parseCidr(text.trim())
  if (cidr === null) throw new Error(`"${text}" is not a network such as 10.0.0.0/8 or 2001:db8::/32`)
  return cidr
}

const ALLOWED: EgressDecision = { allowed: true }
const usualClasses: { [P in EgressPreset]: readonly AddressClass[] } = {
  'check-built-in': ['public', 'loopback', 'private', 'unique-local', 'shared'],
  'check-private-location': ['public', 'private', 'unique-local', 'shared'],
  channel: ['public', 'loopback', 'private', 'unique-local', 'shared'],
}

/** Whether an address may be dialled. */
export function judgeAddress(address: string, policy: EgressPolicy): EgressDecision {
  const ip = parseIp(address)
  if (ip === null) return { allowed: false, reason: `address not allowed: "${address}" is not a numeric address` }
  if (policy.deny.some((cidr) => isWithin(ip, cidr))) {
    return { allowed: false, reason: `address not allowed: ${address} is on the list of denied networks` }
  }
  if (policy.allow.some((cidr) => isWithin(ip, cidr))) return ALLOWED
  const kind = classOf(ip)
  if (usualClasses[policy.preset].includes(kind)) return ALLOWED
  return { allowed: false, reason: `address not allowed: ${address} is ${describe[kind]}` }
}

const describe: { [C in AddressClass]: string } = {
  public: 'a public address',
  loopback: 'a loopback address',
  private: 'a private address',
  'unique-local': 'a unique local address',
  shared: 'in the shared space of carriers',
  'link-local': 'a link-local address',
  metadata: 'a metadata service of a cloud',
  unspecified: 'the unspecified address',
  multicast: 'a multicast address',
  reserved: 'a reserved address',
  transition: 'an IPv6 address that stands for an IPv4 address',
}

/** The class of a numeric address. The first network that holds it decides. */
export function classOf(ip: IpAddress): AddressClass {
  const table = ip.family === 4 ? v4Classes : v6Classes
  for (const [kind, cidr] of table) if (isWithin(ip, cidr)) return kind
  // All of the global unicast space is 2000::/3; what lies outside is not assigned.
  if (ip.family === 6 && ((ip.parts[0] ?? 0) & 0xe000) !== 0x2000) return 'reserved'
  return 'public'
}

const classes = (rows: readonly [AddressClass, string][]) =>
  rows.map(([kind, text]): [AddressClass, Cidr] => [kind, network(text)])

const v4Classes = classes([
  ['loopback', '127.0.0.0/8'],
  ['metadata', '169.254.169.254/32'],
  ['metadata', '169.254.170.2/32'],
  ['metadata', '100.100.100.200/32'],
  ['link-local', '169.254.0.0/16'],
  ['private', '10.0.0.0/8'],
  ['private', '172.16.0.0/12'],
  ['private', '192.168.0.0/16'],
  ['shared', '100.64.0.0/10'],
  ['unspecified', '0.0.0.0/8'],
  ['reserved', '192.0.0.0/24'],
  ['reserved', '192.0.2.0/24'],
  ['transition', '192.88.99.0/24'],
  ['reserved', '198.18.0.0/15'],
  ['reserved', '198.51.100.0/24'],
  ['reserved', '203.0.113.0/24'],
  ['multicast', '224.0.0.0/4'],
  ['reserved', '240.0.0.0/4'],
])

const v6Classes = classes([
  ['unspecified', '::/128'],
  ['loopback', '::1/128'],
  ['transition', '::/96'],
  ['transition', '::ffff:0:0/96'],
  ['transition', '::ffff:0:0:0/96'],
  ['transition', '64:ff9b::/96'],
  ['transition', '64:ff9b:1::/48'],
  ['reserved', '100::/64'],
  ['transition', '2001::/32'],
  ['reserved', '2001:db8::/32'],
  ['reserved', '2001::/23'],
  ['transition', '2002::/16'],
  ['reserved', '3fff::/20'],
  ['metadata', 'fd00:ec2::254/128'],
  ['unique-local', 'fc00::/7'],
  ['link-local', 'fe80::/10'],
  ['reserved', 'fec0::/10'],
  ['multicast', 'ff00::/8'],
])
