/** Projects of suites, uploaded as archives. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { BUNDLE_LIMITS, routes } from '@vedette/schema'
import { AppError } from '../../app-error.ts'
import type { AssetStore } from '../../assets/asset-store.ts'
import { ArchiveTooLarge, receiveArchive } from '../../bundles/receive.ts'
import { addBundle, bundleKey, bytesInUse, makeRoomForBundles } from '../../bundles/store.ts'
import { ArchiveProblem } from '../../bundles/tar-reader.ts'
import type { Db } from '../../db/database.ts'
import type { Serve } from '../serve.ts'

export function servePlaywrightBundles(serve: Serve, db: Db, files: AssetStore): void {
  const makeRoom = async (tx: Db, accountId: string, sha256: string) => {
    const { accountBytes } = BUNDLE_LIMITS
    if ((await bytesInUse(tx, accountId, sha256)) > accountBytes)
      throw new AppError('conflict', 'Checks use bundles of 5 GiB already: delete some, or make their bundles smaller.')
    const gone = await makeRoomForBundles(tx, accountId, accountBytes, sha256)
    for (const one of gone) await files.delete(bundleKey(accountId, one))
  }
  serve(routes.uploadPlaywrightBundle, async ({ request, caller, record }) => {
    const { body } = request
    if (!(body instanceof Readable)) throw refusal('The body must be the archive, as application/gzip')
    try {
      // Whoever stops reading can still answer.
      return await receiveArchive(body.iterator({ destroyOnReturn: false }), ({ path, ...archive }) =>
        db.transaction().execute(async (tx) => {
          // The row first: whoever sweeps the same bundle is waited for, and what it removes is put back after.
          const bundle = await addBundle(tx, caller.accountId, archive)
          await files.put(bundleKey(caller.accountId, archive.sha256), createReadStream(path), archive.size)
          await record(tx, { subject: bundle.codeBundlePath, after: bundle })
          await makeRoom(tx, caller.accountId, archive.sha256)
          return bundle
        }),
      )
    } catch (error) {
      if (error instanceof ArchiveProblem) throw refusal(error.message)
      if (error instanceof ArchiveTooLarge) throw new AppError('too-large', 'The archive is larger than 50 MiB.')
      throw error
    }
  })
}

const refusal = (message: string) => new AppError('invalid', `${message}.`, { source: 'payload', keys: [] })
