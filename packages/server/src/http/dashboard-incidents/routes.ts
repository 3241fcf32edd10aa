/** Incidents and maintenance that people announce on dashboards. */
import { type DashboardIncident, type DashboardIncidentUpdate, routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import { readTimestamp } from '../instants.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

export function serveDashboardIncidents(serve: Serve, db: Db): void {
  serve(routes.listDashboardIncidents, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { incidents, total } = await store.listIncidents(db, caller.accountId, query.dashboardId, page)
    tellPage(request, reply, page, incidents.length, total)
    return incidents
  })

  serve(routes.getDashboardIncident, async ({ params, query, caller }) => {
    const incident = await find(db, caller.accountId, params.id)
    return query.includeAllIncidentUpdates === true
      ? incident
      : { ...incident, incidentUpdates: incident.incidentUpdates.slice(0, 1) }
  })

  serve(routes.createDashboardIncident, ({ body, caller, record }) => {
    const { name, impact = 'MINOR', dashboardId, incidentUpdates } = body
    const fields = { name, impact, ...readPeriod(body, { startedAt: null, stoppedAt: null }) }
    return db.transaction().execute(async (tx) => {
      if (!(await store.hasDashboard(tx, caller.accountId, dashboardId))) {
        throw notFound(`There is no dashboard with the id ${dashboardId}.`)
      }
      const id = await store.insertIncident(tx, caller.accountId, dashboardId, fields)
      for (const update of incidentUpdates) await store.insertUpdate(tx, id, update)
      const after = await find(tx, caller.accountId, id)
      await record(tx, { after, subject: id })
      return after
    })
  })

  serve(routes.updateDashboardIncident, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const current = await store.lockIncident(tx, caller.accountId, params.id)
      if (current === undefined) throw notFound()
      const before = await find(tx, caller.accountId, params.id)
      const { name, impact } = body
      await store.updateIncident(tx, params.id, { name, impact, ...readPeriod(body, current) })
      const after = await find(tx, caller.accountId, params.id)
      await record(tx, { before, after })
      return after
    }),
  )

  serve(routes.deleteDashboardIncident, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      if ((await store.lockIncident(tx, caller.accountId, params.id)) === undefined) throw notFound()
      await record(tx, { before: await find(tx, caller.accountId, params.id) })
      await store.deleteIncident(tx, params.id)
    })
    return null
  })

  serve(routes.addDashboardIncidentUpdate, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      if ((await store.lockIncident(tx, caller.accountId, params.incidentId)) === undefined) throw notFound()
      const after = await store.insertUpdate(tx, params.incidentId, body)
      await record(tx, { after, subject: `${params.incidentId}/${after.id}` })
      return (await find(tx, caller.accountId, params.incidentId)).incidentUpdates
    }),
  )

  serve(routes.changeDashboardIncidentUpdate, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const before = await lockUpdate(tx, caller.accountId, params)
      const after = await store.changeUpdate(tx, params.incidentId, params.id, body.description)
      if (after === undefined) throw notFound()
      await record(tx, { before, after })
      return after
    }),
  )

  serve(routes.deleteDashboardIncidentUpdate, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      await record(tx, { before: await lockUpdate(tx, caller.accountId, params) })
      await store.deleteUpdate(tx, params.incidentId, params.id)
    })
    return null
  })
}

async function find(db: Db, accountId: string, id: string): Promise<DashboardIncident> {
  const incident = await store.findIncident(db, accountId, id)
  if (incident === undefined) throw notFound()
  return incident
}

async function lockUpdate(
  tx: Db,
  accountId: string,
  { incidentId, id }: { incidentId: string; id: string },
): Promise<DashboardIncidentUpdate> {
  if ((await store.lockIncident(tx, accountId, incidentId)) === undefined) throw notFound()
  const update = (await find(tx, accountId, incidentId)).incidentUpdates.find((candidate) => candidate.id === id)
  if (update === undefined) throw notFound()
  return update
}

type Period = Pick<store.IncidentFields, 'startedAt' | 'stoppedAt'>

/** What is absent stays. */
function readPeriod(given: { startedAt?: string | null; stoppedAt?: string | null }, current: Period): Period {
  const read = (field: keyof Period) => {
    const text = given[field]
    return text === undefined ? current[field] : text === null ? null : readTimestamp(field, text)
  }
  return { startedAt: read('startedAt'), stoppedAt: read('stoppedAt') }
}
