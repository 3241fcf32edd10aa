/**
 * Numeric IP addresses, read strictly: the four decimal numbers of IPv4, the groups of IPv6. Every other spelling
 * (octal, hexadecimal, short, zone ids) is no address; names and URLs are made numeric before they come here.
 */

export interface IpAddress {
  family: 4 | 6
  /** IPv4: one number of 32 bits. IPv6: eight groups of 16 bits. */
  parts: readonly number[]
}

export interface Cidr {
  address: IpAddress
  bits: number
}

export function parseIp(text: string): IpAddress | null {
  if (text.length > 45) return null
  if (text.includes(':')) {
    const parts = parseV6(text)
    return parts === null ? null : { family: 6, parts }
  }
  const number = parseV4(text)
  return number === null ? null : { family: 4, parts: [number] }
}

/** A network such as `10.0.0.0/8`; a bare address stands for itself. */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf('/')
  const address = parseIp(slash < 0 ? text : text.slice(0, slash))
  if (address === null) return null
  const widest = address.family === 4 ? 32 : 128
  if (slash < 0) return { address, bits: widest }
  const length = text.slice(slash + 1)
  if (!/^\d{1,3}$/.test(length) || Number(length) > widest) return null
  return { address, bits: Number(length) }
}

export function isWithin(address: IpAddress, { address: network, bits }: Cidr): boolean {
  if (address.family !== network.family) return false
  const width = address.family === 4 ? 32 : 16
  let left = bits
  for (const [index, part] of address.parts.entries()) {
    if (left <= 0) return true
    const shared = Math.min(left, width)
    const unit = 2 ** (width - shared)
    if (Math.floor(part / unit) !== Math.floor((network.parts[index] ?? 0) / unit)) return false
    left -= width
  }
  return true
}

function parseV4(text: string): number | null {
  let number = 0
  let octet = -1
  let octets = 0
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : 46
    if (code === 46) {
      if (octet < 0) return null
      number = number * 256 + octet
      octets += 1
      octet = -1
    } else if (code >= 48 && code <= 57) {
      // A leading zero means octal to some and nothing to others.
      if (octet === 0) return null
      octet = Math.max(octet, 0) * 10 + code - 48
      if (octet > 255) return null
    } else return null
  }
  return octets === 4 ? number : null
}

function parseV6(text: string): number[] | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map((half, index) => parseGroups(half, index === halves.length - 1))
  if (head === null || head === undefined) return null
  if (halves.length === 1) return head.length === 8 ? head : null
  if (tail === null || tail === undefined || head.length + tail.length > 7) return null
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** Only the last group of an address may be an IPv4 address, which fills two. */
function parseGroups(text: string, isLast: boolean): number[] | null {
  if (text === '') return []
  const groups: number[] = []
  const words = text.split(':')
  for (const [index, word] of words.entries()) {
    if (word.includes('.')) {
      const number = isLast && index === words.length - 1 ? parseV4(word) : null
      if (number === null) return null
      groups.push(Math.floor(number / 0x10000), number % 0x10000)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(word)) return null
      groups.push(Number.parseInt(word, 16))
    }
  }
  return groups
}
