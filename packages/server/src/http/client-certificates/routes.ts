/** Client certificates of the account. Their keys go in and never come out. */
import { routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { lockConfiguration } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Serve } from '../serve.ts'
import { assertCertificate } from './assert-certificate.ts'
import * as store from './store.ts'

export function serveClientCertificates(serve: Serve, db: Db, secrets: Secrets): void {
  serve(routes.listClientCertificates, ({ caller }) => store.listCertificates(db, caller.accountId))

  serve(routes.getClientCertificate, async ({ params, caller }) => {
    const certificate = await store.findCertificate(db, caller.accountId, params.id)
    if (certificate === undefined) throw notFound()
    return certificate
  })

  serve(routes.createClientCertificate, ({ body, caller, record }) => {
    assertCertificate(body)
    return db.transaction().execute(async (tx) => {
      const certificate = await store.insertCertificate(tx, secrets, caller.accountId, body)
      await record(tx, { after: certificate, subject: certificate.id })
      return certificate
    })
  })

  serve(routes.deleteClientCertificate, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      // Nobody begins to use it meanwhile.
      await lockConfiguration(tx, caller.accountId)
      if (await store.isInUse(tx, caller.accountId, params.id)) {
        throw new AppError('conflict', 'An SSL check still shows this client certificate.')
      }
      const before = await store.deleteCertificate(tx, caller.accountId, params.id)
      if (before === undefined) throw notFound()
      await record(tx, { before })
    })
    return null
  })
}
