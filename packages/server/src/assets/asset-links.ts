/**
 * Addresses of files that runs left. Whoever has one may read the file until it expires: it is signed, and nothing of it is
 * stored. They change once an hour only, so that what a browser has is not fetched again.
 */
import type { Secrets } from '../secrets/secrets.ts'

const PURPOSE = 'asset'
const HOUR_MS = 3_600_000
const GOOD_FOR_MS = 6 * HOUR_MS

export interface AssetPlace {
  region: string
  accountId: string
  checkId: string
  checkRunId: number
  fileName: string
}

export interface AssetLinks {
  url(place: AssetPlace): string
  /** Where a trace can be looked at. */
  viewer(place: AssetPlace): string
}

export function assetLinks(secrets: Secrets, publicUrl: string, nowMs: () => number): AssetLinks {
  const url: AssetLinks['url'] = (place) => {
    const expires = (Math.ceil(nowMs() / HOUR_MS) * HOUR_MS + GOOD_FOR_MS) / 1000
    const signature = secrets.sign(PURPOSE, named(place, expires)).toString('base64url')
    return `${publicUrl}${pathOf(place)}?expires=${expires}&signature=${signature}`
  }
  return {
    url,
    viewer: (place) => {
      // Without its origin: the viewer asks the one that it was opened at.
      const { pathname, search } = new URL(url(place))
      return `${publicUrl}/trace/?trace=${encodeURIComponent(pathname + search)}`
    },
  }
}

export function isSignedAsset(
  secrets: Secrets,
  place: AssetPlace,
  { expires, signature }: { expires?: number | undefined; signature?: string | undefined },
  nowMs: number,
): boolean {
  if (expires === undefined || signature === undefined || expires * 1000 < nowMs) return false
  return secrets.isSigned(PURPOSE, named(place, expires), Buffer.from(signature, 'base64url'))
}

function pathOf({ region, accountId, checkId, checkRunId, fileName }: AssetPlace): string {
  const parts = [region, accountId, checkId, String(checkRunId), fileName].map(encodeURIComponent)
  return `/v1/assets/checkRunData/${parts.join('/')}`
}

const named = (place: AssetPlace, expires: number) => Buffer.from(`${pathOf(place)}?${expires}`)
