/** The addresses from which checks come, as an operator lists them: for those who open a firewall to them. */
import { parseCidr, parseIp } from '@vedette/core'
import { DATA_CENTERS } from '@vedette/schema'

type ByRegion = Readonly<Record<string, readonly string[]>>

export interface StaticIps {
  v4: ByRegion
  /** Networks, each with its length. */
  v6: ByRegion
}

/** Reads a JSON object of region → addresses. A text: what is wrong with it. */
export function readStaticIps(text: string): StaticIps | string {
  const shape = 'must be a JSON object such as {"us-east-1": ["203.0.113.7", "2001:db8::/56"]}.'
  let regions: unknown
  try {
    regions = JSON.parse(text)
  } catch {
    return shape
  }
  if (typeof regions !== 'object' || regions === null || Array.isArray(regions)) return shape
  const v4: Record<string, string[]> = {}
  const v6: Record<string, string[]> = {}
  for (const [name, addresses] of Object.entries(regions)) {
    const region = DATA_CENTERS.find((known) => known === name)
    if (region === undefined) return `names "${name}", which is no location. Known: ${DATA_CENTERS.join(', ')}.`
    if (!Array.isArray(addresses)) return shape
    for (const address of addresses.map(String)) {
      const isV6 = address.includes(':')
      if ((isV6 ? parseCidr(address) : parseIp(address)) === null) return `must list IP addresses, not "${address}".`
      const family = isV6 ? v6 : v4
      family[region] = [...(family[region] ?? []), isV6 && !address.includes('/') ? `${address}/128` : address]
    }
  }
  return { v4, v6 }
}
