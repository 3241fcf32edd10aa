/** Creates a check of a kind, or changes the one whose id is given. */
import { type BodyOf, routes } from '@vedette/schema'
import { call } from './call.ts'

/** Channels are chosen in the form, so the server need not choose them. */
const query = { autoAssignAlerts: false }

interface Bodies {
  API: BodyOf<typeof routes.createApiCheck>
  GRPC: BodyOf<typeof routes.createGrpcCheck>
  URL: BodyOf<typeof routes.createUrlCheck>
  TCP: BodyOf<typeof routes.createTcpCheck>
  ICMP: BodyOf<typeof routes.createIcmpCheck>
  SSL: BodyOf<typeof routes.createSslCheck>
  MULTI_STEP: BodyOf<typeof routes.createMultiStepCheck>
  BROWSER: BodyOf<typeof routes.createBrowserCheck>
  PLAYWRIGHT: BodyOf<typeof routes.createPlaywrightCheck>
  DNS: Omit<BodyOf<typeof routes.createDnsCheck>, keyof typeof UNUSED_OF_DNS>
  HEARTBEAT: BodyOf<typeof routes.createHeartbeatCheck>
}

/** What the operation wants and the kind does not use. */
export const UNUSED_OF_DNS = { heartbeat: {}, script: '' }

const save: { [K in keyof Bodies]: (id: string | null, body: Bodies[K]) => Promise<{ id: string }> } = {
  API: (id, body) =>
    id === null
      ? call(routes.createApiCheck, { body, query })
      : call(routes.updateApiCheck, { params: { id }, body, query }),
  GRPC: (id, body) =>
    id === null
      ? call(routes.createGrpcCheck, { body, query })
      : call(routes.updateGrpcCheck, { params: { id }, body, query }),
  URL: (id, body) =>
    id === null
      ? call(routes.createUrlCheck, { body, query })
      : call(routes.updateUrlCheck, { params: { id }, body, query }),
  TCP: (id, body) =>
    id === null
      ? call(routes.createTcpCheck, { body, query })
      : call(routes.updateTcpCheck, { params: { id }, body, query }),
  ICMP: (id, body) =>
    id === null
      ? call(routes.createIcmpCheck, { body, query })
      : call(routes.updateIcmpCheck, { params: { id }, body, query }),
  SSL: (id, body) =>
    id === null
      ? call(routes.createSslCheck, { body, query })
      : call(routes.updateSslCheck, { params: { id }, body, query }),
  MULTI_STEP: (id, body) =>
    id === null
      ? call(routes.createMultiStepCheck, { body, query })
      : call(routes.updateMultiStepCheck, { params: { id }, body, query }),
  BROWSER: (id, body) =>
    id === null
      ? call(routes.createBrowserCheck, { body, query })
      : call(routes.updateBrowserCheck, { params: { id }, body, query }),
  PLAYWRIGHT: (id, body) =>
    id === null
      ? call(routes.createPlaywrightCheck, { body, query })
      : call(routes.updatePlaywrightCheck, { params: { id }, body, query }),
  DNS: (id, body) =>
    id === null
      ? call(routes.createDnsCheck, { body: { ...body, ...UNUSED_OF_DNS }, query })
      : call(routes.updateDnsCheck, { params: { id }, body, query }),
  HEARTBEAT: (id, body) =>
    id === null
      ? call(routes.createHeartbeatCheck, { body, query })
      : call(routes.updateHeartbeatCheck, { params: { id }, body, query }),
}

/** Answers the id of the check. */
export async function saveCheck<K extends keyof Bodies>(kind: K, id: string | null, body: Bodies[K]): Promise<string> {
  return (await save[kind](id, body)).id
}
