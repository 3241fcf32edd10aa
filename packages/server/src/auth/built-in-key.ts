/** The key of the installation's own runner: made anew at every start, so that it is never stored in the clear. */
import type { Db } from '../db/database.ts'
import { newKey } from './keys.ts'
import { replaceBuiltInKey } from './store.ts'

export async function makeBuiltInKey(db: Db): Promise<{ id: string; raw: string }> {
  const key = newKey('location')
  return { id: await replaceBuiltInKey(db, key), raw: key.raw }
}
