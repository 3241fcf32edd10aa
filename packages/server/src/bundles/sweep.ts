/** Removes bundles that no check has used for 30 days. */
import type { AssetStore } from '../assets/asset-store.ts'
import type { Db } from '../db/database.ts'
import { bundleKey, noteUsedBundles, takeUnusedBundle } from './store.ts'

/** Answers how many. */
export async function sweepBundles(db: Db, files: AssetStore): Promise<number> {
  await noteUsedBundles(db)
  for (let swept = 0; ; swept += 1) {
    const taken = await db.transaction().execute(async (tx) => {
      const bundle = await takeUnusedBundle(tx)
      if (bundle !== undefined) await files.delete(bundleKey(bundle.accountId, bundle.sha256))
      return bundle
    })
    if (taken === undefined) return swept
  }
}
