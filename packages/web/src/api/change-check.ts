import { type BodyOf, routes } from '@vedette/schema'
import { call } from './call.ts'

/** Changes what all kinds have in common: one operation serves them all. */
export const changeCheck = (id: string, changes: BodyOf<typeof routes.updateCheck>) =>
  call(routes.updateCheck, { params: { id }, body: changes, query: { autoAssignAlerts: false } })
