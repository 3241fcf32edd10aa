/** Locations: data centers, private locations and their keys. */
import { type LocationKey, type PrivateLocation, routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { mayReadLocked } from '../../auth/caller.ts'
import { newKey } from '../../auth/keys.ts'
import { lockConfiguration } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import { METRICS_KEPT_MS, samplesOf } from '../../scheduling/location-samples-store.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { readWindow, type TimeWindow } from '../instants.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

const KEYS_A_LOCATION = 2
/** Instead of what the reader may not see. */
const MASK = '********'

export function serveLocations(serve: Serve, db: Db, secrets: Secrets, locations: () => Promise<LocationView>): void {
  serve(routes.listLocations, async () => {
    const view = await locations()
    return view
      .all()
      .filter((location) => location.accountId === null)
      .map(({ no, slug, name }) => ({
        region: slug,
        name,
        servedBy: view.servedBy(no),
        quarantine: view.quarantineOf(no),
        isolation: view.isolationOf(no),
        scripts: view.scriptsOf(no),
      }))
  })

  serve(routes.createDataCenterKey, ({ params, record }) =>
    db.transaction().execute(async (tx) => {
      const no = await store.dataCenterNumber(tx, params.region)
      await assertRoomForKey(tx, no)
      const key = await store.insertKey(tx, no, newKey('location'))
      await record(tx, { after: withoutRawKey(key), subject: `${params.region}/${key.id}` })
      return key
    }),
  )

  serve(routes.listDataCenterKeys, async ({ params }) =>
    store.listKeys(db, await store.dataCenterNumber(db, params.region)),
  )

  serve(routes.deleteDataCenterKey, async ({ params, record }) => {
    await db.transaction().execute(async (tx) => {
      const before = await store.deleteKey(tx, await store.dataCenterNumber(tx, params.region), params.keyId)
      if (before === undefined) throw notFound()
      await record(tx, { before })
    })
    return null
  })

  serve(routes.listPrivateLocations, async ({ caller }) => {
    const locations = await store.listPrivateLocations(db, secrets, caller.accountId)
    return locations.map((location) => visible(location, mayReadLocked(caller)))
  })

  serve(routes.getPrivateLocation, async ({ params, caller }) =>
    visible(await getLocation(db, secrets, caller.accountId, params.id), mayReadLocked(caller)),
  )

  serve(routes.createPrivateLocation, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const location = await store.insertPrivateLocation(tx, secrets, caller.accountId, body, newKey('location'))
      if (location === undefined) throw new AppError('conflict', `The slug "${body.slugName}" is taken.`)
      await record(tx, { after: forReaders(location), subject: location.id })
      return location
    }),
  )

  serve(routes.updatePrivateLocation, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      await lock(tx, caller.accountId, params.id)
      const before = await getLocation(tx, secrets, caller.accountId, params.id)
      await store.updatePrivateLocation(tx, secrets, caller.accountId, params.id, body)
      const after = await getLocation(tx, secrets, caller.accountId, params.id)
      await record(tx, { before: forReaders(before), after: forReaders(after) })
      return after
    }),
  )

  serve(routes.deletePrivateLocation, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      // Nobody moves in meanwhile.
      await lockConfiguration(tx, caller.accountId)
      const { no } = await lock(tx, caller.accountId, params.id)
      const before = await getLocation(tx, secrets, caller.accountId, params.id)
      if (before.checkAssignments.length > 0 || before.groupAssignments.length > 0) {
        throw new AppError('conflict', 'Checks or groups still run in this location. Move them first.')
      }
      if (await store.hasRuns(tx, no)) {
        throw new AppError('conflict', 'A run in this location has not ended yet. Try again when it has.')
      }
      await store.deleteLocation(tx, no)
      await record(tx, { before: forReaders(before) })
    })
    return null
  })

  serve(routes.createLocationKey, ({ params, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const { no } = await lock(tx, caller.accountId, params.id)
      await assertRoomForKey(tx, no)
      const key = await store.insertKey(tx, no, newKey('location'))
      await record(tx, { after: withoutRawKey(key), subject: `${params.id}/${key.id}` })
      return key
    }),
  )

  serve(routes.deleteLocationKey, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const { no } = await lock(tx, caller.accountId, params.id)
      const before = await store.deleteKey(tx, no, params.keyId)
      if (before === undefined) throw notFound()
      await record(tx, { before })
    })
    return null
  })

  serve(routes.getLocationMetrics, async ({ params, query, caller }) => {
    const { fromMs, toMs } = readMetricsWindow(query, Date.now())
    const location = await store.findLocation(db, caller.accountId, params.id)
    if (location === undefined) throw notFound()
    return samplesOf(db, location.no, fromMs, toMs)
  })
}

async function getLocation(db: Db, secrets: Secrets, accountId: string, id: string): Promise<PrivateLocation> {
  const [location] = await store.listPrivateLocations(db, secrets, accountId, id)
  if (location === undefined) throw notFound()
  return location
}

async function lock(tx: Db, accountId: string, id: string): Promise<{ no: number }> {
  const location = await store.findLocation(tx, accountId, id, true)
  if (location === undefined) throw notFound()
  return location
}

function visible(location: PrivateLocation, showLocked: boolean): PrivateLocation {
  return showLocked ? location : forReaders(location)
}

/** Without the credentials of the proxy, and keys without what signs in. */
function forReaders(location: PrivateLocation): PrivateLocation {
  const { proxyUrl, keys } = location
  return { ...location, proxyUrl: proxyUrl && maskedProxy(proxyUrl), keys: keys.map(withoutRawKey) }
}

function withoutRawKey(key: LocationKey): LocationKey {
  return { ...key, rawKey: '' }
}

/** An address that cannot be read may hold anything. */
function maskedProxy(address: string): string {
  const url = URL.parse(address)
  if (url === null || url.host === '') return MASK
  if (url.username === '' && url.password === '') return address
  url.username = MASK
  url.password = ''
  return url.href
}

/** Both ends must be given. @throws AppError `invalid`. */
function readMetricsWindow(query: { from: string; to: string }, nowMs: number): TimeWindow {
  const window = readWindow(query, { defaultMs: METRICS_KEPT_MS, maxMs: Number.POSITIVE_INFINITY }, nowMs)
  if (window.fromMs <= nowMs - METRICS_KEPT_MS) {
    throw new AppError('invalid', '"from" must be less than 15 days ago', { source: 'query', keys: ['from'] })
  }
  return window
}

async function assertRoomForKey(tx: Db, locationNo: number): Promise<void> {
  if ((await store.countKeys(tx, locationNo)) >= KEYS_A_LOCATION) {
    throw new AppError('conflict', `A location has ${KEYS_A_LOCATION} keys at most. Delete one first.`)
  }
}
