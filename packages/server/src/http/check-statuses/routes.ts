/** How checks are doing. */
import { routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import type { Serve } from '../serve.ts'
import { listStatuses } from './store.ts'

export function serveCheckStatuses(serve: Serve, db: Db, locations: () => Promise<LocationView>): void {
  serve(routes.listCheckStatuses, async ({ caller }) => listStatuses(db, await locations(), caller.accountId, null))

  serve(routes.getCheckStatus, async ({ params, caller }) => {
    const [status] = await listStatuses(db, await locations(), caller.accountId, params.checkId)
    if (status === undefined) throw notFound()
    return status
  })
}
