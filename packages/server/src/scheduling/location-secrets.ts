/** The address of a location's proxy, which may hold credentials and is sealed as a whole. */
import type { Secrets } from '../secrets/secrets.ts'

interface Location {
  id: string
  accountId: string | null
}

export function sealProxyUrl(secrets: Secrets, location: Location, proxyUrl: string | null): string | null {
  return proxyUrl === null ? null : secrets.seal(placeOf(location), proxyUrl)
}

export function openProxyUrl(secrets: Secrets, location: Location & { sealedProxyUrl: string | null }): string | null {
  const { sealedProxyUrl } = location
  return sealedProxyUrl === null ? null : secrets.open(placeOf(location), sealedProxyUrl)
}

function placeOf({ id, accountId }: Location) {
  return { accountId: accountId ?? '', table: 'locations', column: 'sealed_proxy_url', rowId: id }
}
