/** The names that numbers of the protocol have: IANA's registries, as far as name servers use them. */

export const RECORD_TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
} as const

const RESPONSE_CODES: { readonly [code: number]: string } = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  6: 'YXDOMAIN',
  7: 'YXRRSET',
  8: 'NXRRSET',
  9: 'NOTAUTH',
  10: 'NOTZONE',
  11: 'DSOTYPENI',
  16: 'BADVERS',
  17: 'BADKEY',
  18: 'BADTIME',
  19: 'BADMODE',
  20: 'BADNAME',
  21: 'BADALG',
  22: 'BADTRUNC',
  23: 'BADCOOKIE',
}

const typeNames = new Map<number, string>(Object.entries(RECORD_TYPES).map(([name, type]) => [type, name]))

export const recordTypeName = (type: number): string => typeNames.get(type) ?? `TYPE${type}`

export const responseCodeName = (code: number): string => RESPONSE_CODES[code] ?? `RCODE${code}`

/** The number of a response code; null for a name that is none. */
export function responseCodeNumber(name: string): number | null {
  const found = Object.entries(RESPONSE_CODES).find(([, known]) => known === name)
  if (found !== undefined) return Number(found[0])
  return /^RCODE\d{1,4}$/.test(name) ? Number(name.slice(5)) : null
}

export const CLASS_IN = 1
export const className = (number: number): string =>
  number === CLASS_IN ? 'IN' : number === 3 ? 'CH' : number === 4 ? 'HS' : `CLASS${number}`
