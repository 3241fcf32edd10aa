/** An ICMP check as its form holds it. */
import type { IcmpAssertion, IcmpCheck, IcmpCheckCreate, IcmpRequest } from '@vedette/schema'

export interface IcmpDraft {
  hostname: string
  ipFamily: NonNullable<IcmpRequest['ipFamily']>
  pingCount: string
  assertions: readonly IcmpAssertion[]
  degradedPacketLossThreshold: string
  maxPacketLossThreshold: string
  shouldFail: boolean
}

/** Of an address such as `https://example.org/health`, its host. */
export const blankIcmp = (address: string): IcmpDraft => ({
  hostname: hostOf(address),
  ipFamily: 'IPv4',
  pingCount: '10',
  assertions: [],
  degradedPacketLossThreshold: '10',
  maxPacketLossThreshold: '20',
  shouldFail: false,
})

function hostOf(address: string): string {
  const [place = ''] = address
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .split(/[/?#]/)
  return /^([^:]*):\d*$/.exec(place)?.[1] ?? place
}

export function draftIcmp(check: IcmpCheck): IcmpDraft {
  const { hostname, ipFamily = 'IPv4', pingCount = 10, assertions = [] } = check.request
  return {
    hostname,
    ipFamily,
    pingCount: String(pingCount),
    assertions,
    degradedPacketLossThreshold: String(check.degradedPacketLossThreshold),
    maxPacketLossThreshold: String(check.maxPacketLossThreshold),
    shouldFail: check.shouldFail,
  }
}

type IcmpPart = Pick<
  IcmpCheckCreate,
  'request' | 'degradedPacketLossThreshold' | 'maxPacketLossThreshold' | 'shouldFail'
>

export function writeIcmp(draft: IcmpDraft): IcmpPart {
  const { hostname, ipFamily, pingCount, assertions, shouldFail } = draft
  return {
    request: { hostname: hostname.trim(), ipFamily, pingCount: Number(pingCount), assertions: [...assertions] },
    degradedPacketLossThreshold: Number(draft.degradedPacketLossThreshold),
    maxPacketLossThreshold: Number(draft.maxPacketLossThreshold),
    shouldFail,
  }
}
