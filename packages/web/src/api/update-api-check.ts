import { type ApiCheckUpdate, routes } from '@vedette/schema'
import { call } from './call.ts'

export const updateApiCheck = (id: string, body: ApiCheckUpdate) =>
  call(routes.updateApiCheck, { params: { id }, body, query: { autoAssignAlerts: false } })
