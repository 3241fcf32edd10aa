import { type ApiCheckCreate, routes } from '@vedette/schema'
import { call } from './call.ts'

/** Channels are chosen in the form, so the server need not choose them. */
export const createApiCheck = (body: ApiCheckCreate) =>
  call(routes.createApiCheck, { body, query: { autoAssignAlerts: false } })
