/** How the monitor itself is doing. */
import { isWell, ownTroubles } from '@vedette/core'
import { type Health, routes, type SelfWatchReport } from '@vedette/schema'
import type { Db } from '../../db/database.ts'
import { LOST_AFTER_MS } from '../../scheduling/location-view.ts'
import { findSelfCheck, readSelfWatch, type StoredSelfWatch } from '../../self-watch/store.ts'
import { VERSION } from '../../version.ts'
import type { Serve } from '../serve.ts'
import { loadOperations } from './store.ts'

/** Long enough for a busy database, short enough for whoever asks whether we are up. */
const PATIENCE_MS = 2000

/** @param isDeadManSet whether a place outside is told that all is well */
export function serveOperations(serve: Serve, db: Db, isDeadManSet: boolean): void {
  serve(routes.getHealth, async ({ reply }): Promise<Health> => {
    const stored = await answerInTime(readSelfWatch(db))
    if (stored === undefined) {
      reply.code(503)
      return { status: 'down', version: VERSION, database: 'down' }
    }
    const status = stored.watch === null || isWell(ownTroubles(stored.watch)) ? 'ok' : 'degraded'
    return { status, version: VERSION, database: 'ok' }
  })

  serve(routes.getOperations, async ({ caller: { accountId } }) => {
    const [figures, stored] = await Promise.all([loadOperations(db, accountId, LOST_AFTER_MS), readSelfWatch(db)])
    const check = stored.checkId === null ? undefined : await findSelfCheck(db, stored.checkId)
    const isOurs = check?.accountId === accountId
    return { ...figures, selfWatch: reportOf({ ...stored, checkId: isOurs ? stored.checkId : null }, isDeadManSet) }
  })
}

function reportOf({ checkId, watch, deadMan }: StoredSelfWatch, isDeadManSet: boolean): SelfWatchReport {
  const instant = (ms: number) => new Date(ms).toISOString()
  return {
    checkId,
    lookedAt: watch === null ? null : instant(watch.atMs),
    troubles:
      watch === null
        ? []
        : ownTroubles(watch).map(({ kind, words, sinceMs }) => ({ kind, words, since: instant(sinceMs) })),
    deadMan: isDeadManSet
      ? { lastTakenAt: deadMan.takenMs === undefined ? null : instant(deadMan.takenMs), error: deadMan.error ?? null }
      : null,
  }
}

/** Undefined when it fails or takes too long. */
async function answerInTime<T>(query: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
  })
  const answered = query.catch(() => undefined)
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
