/** Incidents of services, and what the public is told of them. */
import {
  type IncidentStatus,
  type IncidentUpdate,
  type IncidentUpdateWrite,
  routes,
  type StatusPageIncident,
  type StatusPageIncidentPatch,
} from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import type { Subscribers } from '../../subscribers/enqueue.ts'
import { cutPage, readCursor } from '../cursor.ts'
import { readTimestamp } from '../instants.ts'
import type { Call, Serve } from '../serve.ts'
import { requireServices } from '../status-page-services/store.ts'
import * as store from './store.ts'
import * as updates from './updates-store.ts'

export function serveStatusPageIncidents(
  serve: Serve,
  db: Db,
  { clock, subscribers }: { clock: Clock; subscribers: Subscribers },
): void {
  const find = async (at: Db, accountId: string, id: string): Promise<StatusPageIncident> => {
    const incident = await store.findIncident(at, accountId, id, clock.nowMs())
    if (incident === undefined) throw notFound()
    return incident
  }
  /** Holds the incident until the transaction ends. */
  const lock = async (tx: Db, accountId: string, id: string): Promise<StatusPageIncident> => {
    if (!(await store.lockIncident(tx, accountId, id))) throw notFound()
    return find(tx, accountId, id)
  }
  const change = (
    { caller, record }: Pick<Call<typeof routes.patchStatusPageIncident>, 'caller' | 'record'>,
    id: string,
    { name, severity, services }: StatusPageIncidentPatch,
  ) =>
    db.transaction().execute(async (tx) => {
      const before = await lock(tx, caller.accountId, id)
      await store.updateIncident(tx, id, {
        ...(name === undefined ? {} : { name }),
        ...(severity === undefined ? {} : { severity }),
      })
      if (services !== undefined) await putServices(tx, caller.accountId, id, services)
      const after = await find(tx, caller.accountId, id)
      await record(tx, { before, after })
      return after
    })

  serve(routes.listStatusPageIncidents, async ({ query, caller }) => {
    const limit = query.limit ?? 20
    const before = readCursor(query.nextId)
    const found = await store.listIncidents(db, caller.accountId, { before, limit: limit + 1, nowMs: clock.nowMs() })
    const { rows, nextId } = cutPage(found, limit)
    return { length: rows.length, entries: rows.map(({ incident }) => incident), nextId }
  })

  serve(routes.getStatusPageIncident, ({ params, caller }) => find(db, caller.accountId, params.incidentId))

  serve(routes.createStatusPageIncident, ({ body, caller, record }) => {
    const { name, severity, services, incidentUpdates } = body
    const nowMs = clock.nowMs()
    const told = incidentUpdates.map((update, index) =>
      newUpdate(update, 'INVESTIGATING', nowMs, `incidentUpdates.${index}.`),
    )
    return db.transaction().execute(async (tx) => {
      const id = await store.insertIncident(tx, caller.accountId, { name, severity })
      await putServices(tx, caller.accountId, id, services)
      const written = []
      for (const update of told) written.push(await updates.insertUpdate(tx, id, update))
      await subscribers.tell(tx, toTell(written))
      const after = await find(tx, caller.accountId, id)
      await record(tx, { after, subject: id })
      return after
    })
  })

  serve(routes.updateStatusPageIncident, (call) => change(call, call.params.incidentId, call.body))

  serve(routes.patchStatusPageIncident, (call) => change(call, call.params.incidentId, call.body))

  serve(routes.deleteStatusPageIncident, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const before = await lock(tx, caller.accountId, params.incidentId)
      await store.deleteIncident(tx, params.incidentId)
      await record(tx, { before })
    })
    return null
  })

  serve(
    routes.listIncidentUpdates,
    async ({ params, caller }) => (await find(db, caller.accountId, params.incidentId)).incidentUpdates,
  )

  serve(routes.getIncidentUpdate, async ({ params, caller }) =>
    updateOf(await find(db, caller.accountId, params.incidentId), params.incidentUpdateId),
  )

  serve(routes.createIncidentUpdate, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const { lastUpdateStatus } = await lock(tx, caller.accountId, params.incidentId)
      const update = newUpdate(body, lastUpdateStatus, clock.nowMs())
      const after = await updates.insertUpdate(tx, params.incidentId, update)
      await subscribers.tell(tx, toTell([after]))
      await record(tx, { after, subject: `${params.incidentId}/${after.id}` })
      return after
    }),
  )

  serve(routes.updateIncidentUpdate, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const before = updateOf(await lock(tx, caller.accountId, params.incidentId), params.incidentUpdateId)
      const after = await updates.changeUpdate(tx, before.id, changedUpdate(before, body))
      await subscribers.follow(tx, after.id)
      await record(tx, { before, after })
      return after
    }),
  )

  serve(routes.deleteIncidentUpdate, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const incident = await lock(tx, caller.accountId, params.incidentId)
      const before = updateOf(incident, params.incidentUpdateId)
      if (incident.incidentUpdates.length === 1) {
        throw new AppError('conflict', 'An incident keeps its only update. Delete the incident instead.')
      }
      await updates.deleteUpdate(tx, before.id)
      await record(tx, { before })
    })
    return null
  })
}

/** @throws AppError `not-found` for a service that the account does not have. */
async function putServices(tx: Db, accountId: string, incidentId: string, services: readonly { id: string }[]) {
  const ids = [...new Set(services.map(({ id }) => id.toLowerCase()))]
  await requireServices(tx, accountId, ids)
  await store.setServices(tx, incidentId, ids)
}

function toTell(written: readonly IncidentUpdate[]): string[] {
  return written.filter(({ notifySubscribers }) => notifySubscribers).map(({ id }) => id)
}

function updateOf(incident: StatusPageIncident, id: string): IncidentUpdate {
  const update = incident.incidentUpdates.find((candidate) => candidate.id === id.toLowerCase())
  if (update === undefined) throw notFound()
  return update
}

function newUpdate(
  { description, status, publicIncidentUpdateDate: date, notifySubscribers }: IncidentUpdateWrite,
  lastStatus: IncidentStatus,
  nowMs: number,
  prefix = '',
): updates.UpdateFields {
  return {
    description,
    status: status ?? lastStatus,
    notifySubscribers: notifySubscribers ?? false,
    publicAt: date === undefined ? new Date(nowMs) : readTimestamp(`${prefix}publicIncidentUpdateDate`, date),
  }
}

/** What is absent stays. */
function changedUpdate(before: IncidentUpdate, body: IncidentUpdateWrite): updates.UpdateFields {
  const { status, notifySubscribers, publicIncidentUpdateDate: date } = { ...before, ...body }
  return {
    description: body.description,
    status,
    notifySubscribers,
    publicAt: readTimestamp('publicIncidentUpdateDate', date),
  }
}
