/** Takes a file from a runner: noted first, then stored, then noted as stored. */
import type { Readable } from 'node:stream'
import type { AssetQuery } from '@vedette/schema'
import { AppError, notFound } from '../app-error.ts'
import type { Db } from '../db/database.ts'
import { readLeaseName } from '../scheduling/lease.ts'
import { type AssetStore, NoRoom, newKey } from './asset-store.ts'
import * as store from './store.ts'

export interface AssetParts {
  db: Db
  assets: AssetStore
}

export interface HandedIn extends AssetQuery {
  leaseId: string
  name: string
  size: number
}

/** @throws AppError `not-found`, `too-large` or `no-room` */
export async function takeAsset(
  { db, assets }: AssetParts,
  keyId: string,
  { leaseId, ...file }: HandedIn,
  content: Readable,
): Promise<void> {
  const lease = readLeaseName(leaseId)
  const run = lease === null ? undefined : await store.findHeldRun(db, lease, keyId)
  // Runs that somebody only tries have leases with other names: nothing is kept of them.
  if (lease === null || run === undefined) throw notFound('Nothing is kept of this run.')
  const { checkNo, resultId } = lease
  const fileName = assetFileName(run.attempt, resultId, file.name)
  const asset = { ...run, ...file, checkNo, resultId, fileName, key: newKey() }
  const begun = await db.transaction().execute((tx) => store.beginAsset(tx, asset))
  if (begun.is === 'too-much') throw new AppError('too-large', 'This run has left as much as is kept of one.')
  if (begun.is === 'stored') {
    content.resume()
    return
  }
  try {
    await assets.put(begun.key, content, file.size)
  } catch (error) {
    if (error instanceof NoRoom) throw new AppError('no-room', 'There is no room for files of runs.')
    throw error
  }
  if (!(await store.noteStored(db, begun.key))) await assets.delete(begun.key)
}

/** The attempts of a run share the folder of its address; a run that was taken twice has results of its own. */
export function assetFileName(attempt: number, resultId: string, name: string): string {
  return `${attempt}-${resultId.slice(-8)}-${name}`
}
