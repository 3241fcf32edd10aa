/**
 * The monitor watches itself. Every half minute some server looks whether checks run, messages leave, queues are worked
 * off and clocks agree. What it finds is told as the failure of a heartbeat of its own, by the same way as everything
 * else; a place outside is told as long as nothing is found, and notices when nobody is left to tell it.
 */
import { isWell, knownAt, type OwnTrouble, ownTroubles, watchSelf } from '@vedette/core'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { recordPing } from '../recording/heartbeats.ts'
import type { RecordingParts } from '../recording/record-reports.ts'
import { LOST_AFTER_MS } from '../scheduling/location-view.ts'
import { pingDeadMan } from './dead-man.ts'
import * as store from './store.ts'

export const LOOK_EVERY_MS = 30_000

export interface SelfWatchParts {
  recording: RecordingParts
  /** Makes the heartbeat by which people are told, in an account. Null: they are not told that way. */
  makeCheck: ((tx: Db, accountId: string) => Promise<{ id: string }>) | null
  /** Null: nobody outside is told. */
  deadManUrl: string | null
  log: Log
}

/** One look. Any server may take it, and what it means carries on from the one before. */
export async function lookAtSelf({ recording, makeCheck, deadManUrl, log }: SelfWatchParts): Promise<void> {
  const { db, clock } = recording
  const stored = await store.readSelfWatch(db)
  const { sinceMs } = knownAt(stored.watch, clock.nowMs())
  const seen = await store.lookAround(db, await recording.locations(), sinceMs, LOST_AFTER_MS)
  const atMs = clock.nowMs()
  const clocks = [{ whose: 'this server', aheadMs: Date.now() - atMs }, ...seen.clocks]
  const watch = watchSelf(stored.watch, { ...seen, clocks, atMs })
  await store.saveWatch(db, watch)
  const troubles = ownTroubles(watch)
  logNews(log, stored.watch === null ? [] : ownTroubles(stored.watch), troubles)
  await tellPeople(recording, stored.checkId, makeCheck, troubles)
  if (deadManUrl === null || !isWell(troubles)) return
  const told = await pingDeadMan(deadManUrl, () => clock.nowMs(), stored.deadMan)
  if (told.error !== undefined && told.error !== stored.deadMan.error)
    log.warn('The place outside that is told that all is well does not take it', { reason: told.error })
  await store.saveDeadMan(db, told)
}

function logNews(log: Log, before: readonly OwnTrouble[], now: readonly OwnTrouble[]): void {
  const isNew = ({ kind, subject }: OwnTrouble) =>
    !before.some((known) => known.kind === kind && known.subject === subject)
  for (const trouble of now.filter(isNew)) {
    const { kind, words } = trouble
    if (isWell([trouble])) log.warn('Checks cannot be run', { kind, words })
    else log.error('The monitor is in trouble', { kind, words })
  }
  if (!isWell(before) && isWell(now)) log.info('The monitor is well again')
}

async function tellPeople(
  recording: RecordingParts,
  knownCheckId: string | null,
  makeCheck: SelfWatchParts['makeCheck'],
  troubles: readonly OwnTrouble[],
): Promise<void> {
  const { db } = recording
  const checkId = knownCheckId ?? (makeCheck === null ? null : await makeSelfCheck(db, makeCheck))
  const check = checkId === null ? undefined : await store.findSelfCheck(db, checkId)
  if (check === undefined) return
  await store.tellAllChannels(db, check)
  const [worst, ...others] = troubles
  await recordPing(recording, check.no, {
    tells: worst === undefined ? 'success' : 'failure',
    exitCode: null,
    source: 'Vedette',
    userAgent: null,
    body: troubles.length === 0 ? null : troubles.map(({ words }) => words).join('\n'),
    ...(worst && { error: others.length === 0 ? worst.words : `${worst.words} And ${others.length} more.` }),
  })
}

/** Made once, when there is something to watch and somebody to tell. Answers its id, or null while there is not. */
async function makeSelfCheck(db: Db, makeCheck: NonNullable<SelfWatchParts['makeCheck']>): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const accountId = await store.accountInUse(tx)
    if (accountId === undefined) return null
    const { checkId } = await store.readSelfWatch(tx)
    if (checkId !== null) return checkId
    const { id } = await makeCheck(tx, accountId)
    await store.noteSelfCheck(tx, id)
    return id
  })
}
