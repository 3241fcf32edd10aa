/** Dashboards and status pages for tests. */
import { routes } from '@vedette/schema'
import type { TestServer } from './test-server.ts'

export const makeService = (server: TestServer, name = 'Shop') =>
  server.call(routes.createStatusPageService, { body: { name } })

export async function makeIncident(server: TestServer, serviceId?: string) {
  const id = serviceId ?? (await makeService(server)).id
  return server.call(routes.createStatusPageIncident, {
    body: {
      name: 'Orders delayed',
      severity: 'MAJOR',
      services: [{ id }],
      incidentUpdates: [{ description: 'We are looking into it.' }],
    },
  })
}

/** One thing of each sort and how each operation on it may be called: first what leaves them there, then what ends them. */
export async function samplesOfPages(server: TestServer) {
  const dashboard = await server.call(routes.createDashboard, { body: { header: 'Shop', isPrivate: true } })
  const [key] = dashboard.keys
  const firstUpdate = { status: 'INVESTIGATING', description: 'We are looking into it.' } as const
  const announced = await server.call(routes.createDashboardIncident, {
    body: { name: 'Orders delayed', dashboardId: dashboard.id, incidentUpdates: [firstUpdate] },
  })
  const [announcement] = announced.incidentUpdates
  const service = await makeService(server)
  const incident = await makeIncident(server, service.id)
  const [update] = incident.incidentUpdates
  const cards = [{ name: 'Shop', services: [{ id: service.id }] }]
  const page = await server.call(routes.createStatusPage, { body: { name: 'Shop', url: 'shop', cards } })
  const params = { statusPageId: page.id }
  const bulk = { params, body: { subscriptions: [{ address: 'ann@example.org' }] } }
  await server.call(routes.createStatusPageSubscriptions, bulk)
  const [subscription] = await server.call(routes.listStatusPageSubscriptions, { params })
  if (!key || !announcement || !update || !subscription) throw new Error('Something was not made.')

  const ofDashboard = { params: { dashboardId: dashboard.dashboardId } }
  const ofAnnounced = { params: { id: announced.id } }
  const ofAnnouncement = { params: { incidentId: announced.id, id: announcement.id } }
  const ofService = { params: { serviceId: service.id } }
  const ofIncident = { params: { incidentId: incident.id } }
  const ofUpdate = { params: { incidentId: incident.id, incidentUpdateId: update.id } }
  const services = [{ id: service.id }]
  const lasting = {
    listDashboards: {},
    createDashboard: { body: { header: 'Another' } },
    getDashboard: ofDashboard,
    updateDashboard: { ...ofDashboard, body: { header: 'Renamed' } },
    listDashboardKeys: ofDashboard,
    createDashboardKey: ofDashboard,
    listDashboardIncidents: {},
    createDashboardIncident: {
      body: { name: 'Works', impact: 'MAINTENANCE', dashboardId: dashboard.id, incidentUpdates: [firstUpdate] },
    },
    getDashboardIncident: ofAnnounced,
    updateDashboardIncident: { ...ofAnnounced, body: { name: 'Renamed', impact: 'MAJOR' } },
    addDashboardIncidentUpdate: { params: { incidentId: announced.id }, body: firstUpdate },
    changeDashboardIncidentUpdate: { ...ofAnnouncement, body: { description: 'Corrected.' } },
    listStatusPages: {},
    createStatusPage: { body: { name: 'Another', url: 'another', cards } },
    getStatusPage: { params },
    updateStatusPage: { params, body: { name: 'Renamed', url: 'shop', cards } },
    listStatusPageSubscriptions: { params },
    createStatusPageSubscriptions: bulk,
    listStatusPageServices: {},
    createStatusPageService: { body: { name: 'Another' } },
    getStatusPageService: ofService,
    updateStatusPageService: { ...ofService, body: { name: 'Renamed' } },
    listStatusPageIncidents: {},
    createStatusPageIncident: {
      body: { name: 'Another', severity: 'MINOR', services, incidentUpdates: [{ description: 'Told.' }] },
    },
    getStatusPageIncident: ofIncident,
    updateStatusPageIncident: { ...ofIncident, body: { name: 'Renamed', severity: 'MINOR', services } },
    patchStatusPageIncident: { ...ofIncident, body: { severity: 'CRITICAL' } },
    listIncidentUpdates: ofIncident,
    createIncidentUpdate: { ...ofIncident, body: { description: 'Found.', status: 'IDENTIFIED' } },
    getIncidentUpdate: ofUpdate,
    updateIncidentUpdate: { ...ofUpdate, body: { description: 'Corrected.' } },
  }
  const ending = {
    deleteDashboardIncidentUpdate: ofAnnouncement,
    deleteDashboardIncident: ofAnnounced,
    deleteDashboardKey: { params: { ...ofDashboard.params, keyId: key.id } },
    deleteDashboard: ofDashboard,
    deleteIncidentUpdate: ofUpdate,
    deleteStatusPageIncident: ofIncident,
    deleteStatusPageSubscription: { params: { ...params, subscriptionId: subscription.id } },
    deleteStatusPage: { params },
    deleteStatusPageService: ofService,
  }
  return { lasting, ending }
}
