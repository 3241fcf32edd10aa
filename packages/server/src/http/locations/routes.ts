/** Locations: data centers, private locations and their keys. */
import { routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { newKey } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

const KEYS_A_LOCATION = 2

export function serveLocations(serve: Serve, db: Db, locations: () => Promise<LocationView>): void {
  serve(routes.listLocations, async () => {
    const view = await locations()
    return view
      .all()
      .filter((location) => location.accountId === null)
      .map(({ no, slug, name }) => ({ region: slug, name, servedBy: view.servedBy(no) }))
  })

  serve(routes.createDataCenterKey, ({ params }) =>
    db.transaction().execute(async (tx) => {
      const no = await store.dataCenterNumber(tx, params.region)
      await assertRoomForKey(tx, no)
      return store.insertKey(tx, no, newKey('location'))
    }),
  )

  serve(routes.listDataCenterKeys, async ({ params }) =>
    store.listKeys(db, await store.dataCenterNumber(db, params.region)),
  )

  serve(routes.deleteDataCenterKey, async ({ params }) => {
    const no = await store.dataCenterNumber(db, params.region)
    if (!(await store.deleteKey(db, no, params.keyId))) throw notFound()
    return null
  })

  serve(routes.listPrivateLocations, ({ caller }) => store.listPrivateLocations(db, caller.accountId))

  serve(routes.getPrivateLocation, async ({ params, caller }) => {
    const [location] = await store.listPrivateLocations(db, caller.accountId, params.id)
    if (location === undefined) throw notFound()
    return location
  })

  serve(routes.createPrivateLocation, ({ body, caller }) =>
    db.transaction().execute(async (tx) => {
      const location = await store.insertPrivateLocation(tx, caller.accountId, body, newKey('location'))
      if (location === undefined) throw new AppError('conflict', `The slug "${body.slugName}" is taken.`)
      return location
    }),
  )

  serve(routes.updatePrivateLocation, async ({ params, body, caller }) => {
    const found = await store.updatePrivateLocation(db, caller.accountId, params.id, body)
    const [location] = found ? await store.listPrivateLocations(db, caller.accountId, params.id) : []
    if (location === undefined) throw notFound()
    return location
  })

  serve(routes.deletePrivateLocation, async ({ params, caller }) => {
    await db.transaction().execute(async (tx) => {
      const location = await store.lockLocation(tx, caller.accountId, params.id)
      if (location === undefined) throw notFound()
      if (await store.isInUse(tx, caller.accountId, location.slug)) {
        throw new AppError('conflict', 'Checks still run in this location. Move them first.')
      }
      await store.deleteLocation(tx, location.no)
    })
    return null
  })

  serve(routes.createLocationKey, ({ params, caller }) =>
    db.transaction().execute(async (tx) => {
      const location = await store.lockLocation(tx, caller.accountId, params.id)
      if (location === undefined) throw notFound()
      await assertRoomForKey(tx, location.no)
      return store.insertKey(tx, location.no, newKey('location'))
    }),
  )

  serve(routes.deleteLocationKey, async ({ params, caller }) => {
    await db.transaction().execute(async (tx) => {
      const location = await store.lockLocation(tx, caller.accountId, params.id)
      if (location === undefined || !(await store.deleteKey(tx, location.no, params.keyId))) throw notFound()
    })
    return null
  })
}

async function assertRoomForKey(tx: Db, locationNo: number): Promise<void> {
  if ((await store.countKeys(tx, locationNo)) >= KEYS_A_LOCATION) {
    throw new AppError('conflict', `A location has ${KEYS_A_LOCATION} keys at most. Delete one first.`)
  }
}
