/** Takes away what is kept no longer. A file goes before its row: whatever ends this, the next sweep goes on. */
import { type AssetRules, assetsToMakeRoom, isAssetExpired } from '@vedette/core'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { ASSET_KEY, type AssetStore } from './asset-store.ts'
import * as store from './store.ts'

const BATCH = 500
/** A file that is being written has a row, or will have gone by then. */
const ORPHAN_AFTER_MS = 86_400_000

export interface SweepParts {
  db: Db
  assets: AssetStore
  rules: AssetRules & { maxBytes: number }
}

export interface Swept {
  unreachable: number
  expired: number
  /** For want of room. */
  crowdedOut: number
}

export async function sweepAssets(parts: SweepParts, nowMs: number): Promise<Swept> {
  const { db, rules } = parts
  await store.settle(db)
  const unreachable = await dropWhile(parts, () => store.unreachable(db, BATCH))
  const expired = async (passed: boolean) =>
    dropWhile(parts, async () =>
      (await store.oldest(db, passed, BATCH)).filter((asset) => isAssetExpired(asset, rules, nowMs)),
    )
  const swept = { unreachable, expired: (await expired(true)) + (await expired(false)), crowdedOut: 0 }
  let excess = (await store.bytesKept(db)) - rules.maxBytes
  while (excess > 0) {
    const some = [...(await store.oldest(db, true, BATCH)), ...(await store.oldest(db, false, BATCH))]
    const dropped = assetsToMakeRoom(some, excess)
    if (dropped.length === 0) break
    await drop(parts, dropped)
    swept.crowdedOut += dropped.length
    excess -= dropped.reduce((sum, { size }) => sum + size, 0)
  }
  return swept
}

/** Files that no row knows of: of a database that was put back from a backup, or of other servers that deleted their rows. */
export async function sweepOrphans(
  { db, assets }: Omit<SweepParts, 'rules'>,
  nowMs: number,
  log: Log,
): Promise<number> {
  let dropped = 0
  let batch: string[] = []
  const look = async () => {
    const known = await store.knownKeys(db, batch)
    for (const key of batch) {
      if (known.has(key)) continue
      await assets.delete(key)
      dropped += 1
    }
    batch = []
  }
  for await (const { key, modifiedAtMs } of assets.list()) {
    if (modifiedAtMs > nowMs - ORPHAN_AFTER_MS) continue
    // What is not ours is left alone.
    if (!ASSET_KEY.test(key.replace(/\.[0-9a-f-]{36}\.part$/, ''))) continue
    batch.push(key)
    if (batch.length >= BATCH) await look()
  }
  await look()
  if (dropped > 0) log.info('Files of runs that nothing points to were deleted', { files: dropped })
  return dropped
}

async function dropWhile(parts: SweepParts, find: () => Promise<store.DroppableAsset[]>): Promise<number> {
  let dropped = 0
  for (;;) {
    const some = await find()
    await drop(parts, some)
    dropped += some.length
    if (some.length < BATCH) return dropped
  }
}

async function drop({ db, assets }: SweepParts, some: readonly store.DroppableAsset[]): Promise<void> {
  if (some.length === 0) return
  for (const { key } of some) await assets.delete(key)
  await store.forgetAssets(
    db,
    some.map(({ id }) => id),
  )
}
