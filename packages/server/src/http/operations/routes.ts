/** How the monitor itself is doing. */
import { type Health, routes } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { LOST_AFTER_MS } from '../../scheduling/location-view.ts'
import { VERSION } from '../../version.ts'
import type { Serve } from '../serve.ts'
import { loadOperations } from './store.ts'

/** Long enough for a busy database, short enough for whoever asks whether we are up. */
const PATIENCE_MS = 2000

export function serveOperations(serve: Serve, db: Db): void {
  serve(routes.getHealth, async ({ reply }): Promise<Health> => {
    const isUp = await answersInTime(sql`select 1`.execute(db))
    if (isUp) return { status: 'ok', version: VERSION, database: 'ok' }
    reply.code(503)
    return { status: 'down', version: VERSION, database: 'down' }
  })

  serve(routes.getOperations, ({ caller }) => loadOperations(db, caller.accountId, LOST_AFTER_MS))
}

async function answersInTime(query: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS)
  })
  const answered = query.then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
