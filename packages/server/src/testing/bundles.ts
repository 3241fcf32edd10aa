/** Bundles for tests. */
import { CODE_BUNDLE_PATH } from '@vedette/schema'
import { addBundle } from '../bundles/store.ts'
import type { TestServer } from './test-server.ts'

const SHA256 = 'ab'.repeat(32)

/** Of a bundle that is known to an account once `knowBundle` has been called; there are no bytes. */
export const BUNDLE_PATH = CODE_BUNDLE_PATH.of(SHA256)

export async function knowBundle({ db, accountId }: Pick<TestServer, 'db' | 'accountId'>): Promise<void> {
  await addBundle(db, accountId, { sha256: SHA256, size: 1, files: 1 })
}
