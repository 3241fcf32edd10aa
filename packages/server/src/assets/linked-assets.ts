/** What results say of the files that their runs left, as long as these are kept. */
import type { LinkedAsset } from '@vedette/schema'
import type { Db } from '../db/database.ts'
import type { StoredResult } from '../results/result-store.ts'
import { scriptRunOf } from '../results/script-run.ts'
import type { AssetLinks, AssetPlace } from './asset-links.ts'
import { assetsOfResults } from './store.ts'

interface OfCheck {
  no: number
  id: string
  accountId: string
}

export interface LinkParts {
  links: AssetLinks
  /** The name of a location. */
  regionOf: (locationNo: number) => string
}

/** By the id of the result. */
export async function linkedAssets(
  db: Db,
  { links, regionOf }: LinkParts,
  check: OfCheck,
  results: readonly StoredResult[],
): Promise<ReadonlyMap<string, LinkedAsset[]>> {
  const leaving = results.filter((result) => scriptRunOf(result)?.assets.length)
  const kept = await assetsOfResults(
    db,
    check.no,
    leaving.map(({ id }) => id),
  )
  const keptOf = Map.groupBy(kept, ({ resultId }) => resultId)
  return new Map(
    leaving.map((result) => {
      const files = new Map(keptOf.get(result.id)?.map((file) => [file.name, file]))
      const linked = (scriptRunOf(result)?.assets ?? []).flatMap((asset) => {
        const file = files.get(asset.name)
        if (file === undefined) return []
        const { accountId, id: checkId } = check
        const { checkRunId, fileName } = file
        const place = { region: regionOf(result.locationNo), accountId, checkId, checkRunId, fileName }
        return [{ ...asset, ...linksTo(links, place, asset) }]
      })
      return [result.id, linked]
    }),
  )
}

export function linksTo(links: AssetLinks, place: AssetPlace, { type }: Pick<LinkedAsset, 'type'>) {
  return { url: links.url(place), viewer: type === 'trace' ? links.viewer(place) : null }
}
