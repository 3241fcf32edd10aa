/** The heartbeat that tells of the monitor itself. */
import type { Db } from '../../db/database.ts'
import { createCheck, type Tools } from './write-check.ts'

const BODY = {
  name: 'Vedette itself',
  description:
    'Vedette looks every half minute whether checks run, messages leave, queues are worked off and clocks agree. ' +
    'This check fails when something is wrong, and tells every channel unless you choose some.',
  // Somewhat more than between two looks, so that a busy moment is none of lateness.
  heartbeat: { period: 40, periodUnit: 'seconds', grace: 80, graceUnit: 'seconds' },
}

export function selfCheckMaker(tools: Tools): (tx: Db, accountId: string) => Promise<{ id: string }> {
  return (tx, accountId) => createCheck(tx, tools, accountId, 'HEARTBEAT', BODY, true)
}
