/** Status pages as they are asked for: read when they must be, kept for a while, shown as they were while the database is away. */

import type { Db } from '../../db/database.ts'
import { isDatabaseAway, isTakingTooLong } from '../../db/database-away.ts'
import type { Log } from '../../log.ts'
import { type Admit, Copies, type Copy } from '../copies.ts'
import { keyOf, type PageAddress } from '../page-address.ts'
import type { HistoryView, IncidentView } from './documents.ts'
import { incidentsToShow, nameServices, type StatusView, servicesOf, viewOf } from './state.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000
/** Short enough that whoever has just told of an incident finds it. */
const LIFE_MS = 5000

const COPIES = {
  lifeMs: LIFE_MS,
  patienceMs: 1500,
  pauseMs: 2000,
  keepMs: 24 * HOUR_MS,
  most: 500,
  nowMs: () => performance.now(),
}

const HISTORY_PAGE = 20

export interface StatusPages {
  /** The copies hold null where there is no such page. */
  status(address: PageAddress, admit: Admit): Promise<Copy<StatusView | null>>
  /** Pages are counted from 1. */
  history(address: PageAddress, number: number, admit: Admit): Promise<Copy<HistoryView | null>>
  incident(address: PageAddress, id: string, admit: Admit): Promise<Copy<IncidentView | null>>
}

export function statusPages(db: Db, nowMs: () => number, log: Log): StatusPages {
  const onTrouble = (page: string, error: unknown) => {
    if (isDatabaseAway(error) || isTakingTooLong(error)) log.warn('A status page could not be renewed', { page, error })
    else log.error('A status page could not be made', { page, error })
  }
  const statuses = new Copies<StatusView>({ ...COPIES, onTrouble })
  const histories = new Copies<HistoryView>({ ...COPIES, onTrouble })
  const incidents = new Copies<IncidentView>({ ...COPIES, onTrouble })

  const read = async (address: PageAddress) => {
    const found = await store.readPage(db, address)
    if (found === undefined) return null
    const { page, accountId } = found
    const serviceIds = [...new Set(servicesOf(page).map(({ id }) => id))]
    return { page, shown: { accountId, serviceIds, nowMs: nowMs() } }
  }

  return {
    status: (address, admit) =>
      statuses.get(
        keyOf(address),
        async () => {
          const found = await read(address)
          if (found === null) return null
          const { page, shown } = found
          const recent = await store.recentIncidents(db, shown)
          return viewOf(
            page,
            {
              incidents: recent,
              shown: await store.withUpdates(db, incidentsToShow(recent, shown.nowMs), shown.nowMs),
              maintenance: await store.maintenanceOf(db, shown),
            },
            shown.nowMs,
          )
        },
        admit,
      ),

    history: (address, number, admit) =>
      histories.get(
        `${keyOf(address)} history ${number}`,
        async () => {
          const found = await read(address)
          if (found === null) return null
          const { page, shown } = found
          const offset = (number - 1) * HISTORY_PAGE
          const past = await store.incidentsOfPast(db, shown, { limit: HISTORY_PAGE + 1, offset })
          // A page beyond the last one is none.
          if (past.length === 0 && number > 1) return null
          const nameOf = nameServices(page)
          return {
            page,
            number,
            asOfMs: shown.nowMs,
            hasMore: past.length > HISTORY_PAGE,
            incidents: past
              .slice(0, HISTORY_PAGE)
              .map((incident) => ({ ...incident, services: nameOf(incident.serviceIds) })),
          }
        },
        admit,
      ),

    incident: (address, id, admit) =>
      incidents.get(
        `${keyOf(address)} incident ${id}`,
        async () => {
          const found = await read(address)
          if (found === null) return null
          const { page, shown } = found
          const incident = await store.findIncident(db, shown, id)
          if (incident === undefined) return null
          const services = nameServices(page)(incident.serviceIds)
          return { page, asOfMs: shown.nowMs, incident: { ...incident, services } }
        },
        admit,
      ),
  }
}
