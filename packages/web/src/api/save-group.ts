import { type BodyOf, type CheckGroup, routes } from '@vedette/schema'
import { call } from './call.ts'

export type GroupBody = BodyOf<typeof routes.createCheckGroup>

/** Channels are chosen in the form, so the server need not choose them. */
const query = { autoAssignAlerts: false }

/** Creates a group, or updates the one whose id is given. */
export const saveGroup = (id: number | null, body: GroupBody): Promise<CheckGroup> =>
  id === null
    ? call(routes.createCheckGroup, { body, query })
    : call(routes.updateCheckGroup, { params: { id }, body, query })
