/**
 * Tells alerts that were held because of another check and that nothing holds any more, without waiting for the check’s next
 * run: that may be a day away, or in error. Who has locked the state of a check tells and notes it in one transaction, so
 * any number of servers tell once, and whichever comes first, this or a run, the other finds nothing held.
 */
import { randomUUID } from 'node:crypto'
import { incidentTurn, releaseAlert, remindersAfter } from '@vedette/core'
import type { NewDecision } from '../alerting/decision-store.ts'
import type { DueAlert } from '../alerting/due-alert.ts'
import { alertSettingsOf } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import { type CheckTurn, followIncidents } from './automated-incidents.ts'
import { Dependencies } from './dependencies.ts'
import { findHeld, type HeldCheck, type HeldNews, lockHeld, newsOf, noteTold } from './held-alert-store.ts'
import { childOf, type JudgedResult, tellingResult, toAlert } from './judge-checks.ts'
import type { RecordingParts } from './record-reports.ts'
import { type CheckInHand, lockChecks } from './store.ts'

const BATCH = 500

/** Returns of how many checks something was told. */
export async function releaseHeld(parts: RecordingParts): Promise<number> {
  const { db, clock } = parts
  const nowMs = clock.nowMs()
  const dependencies = new Dependencies(db, nowMs)
  const free: HeldCheck[] = []
  for (const held of await findHeld(db, nowMs)) if (await dependencies.isReleased(held)) free.push(held)
  let told = 0
  for (let from = 0; from < free.length; from += BATCH) told += await release(parts, free.slice(from, from + BATCH))
  return told
}

async function release(parts: RecordingParts, candidates: readonly HeldCheck[]): Promise<number> {
  const view = await parts.locations()
  const runsSoon = new Set(candidates.filter((held) => held.runsSoon).map(({ checkNo }) => checkNo))
  return parts.db.transaction().execute(async (tx) => {
    const nowMs = parts.clock.nowMs()
    const locked = await lockHeld(
      tx,
      candidates.map(({ checkNo }) => checkNo),
      nowMs,
    )
    if (locked.length === 0) return 0
    const news = await newsOf(tx, locked)
    // What was found without locks may have failed again meanwhile.
    const dependencies = new Dependencies(tx, nowMs)
    const alerts: DueAlert[] = []
    const turns: CheckTurn[] = []
    const told: Parameters<typeof noteTold>[1][number][] = []
    for (const check of await lockChecks(tx, locked)) {
      const { alertState } = check
      const settings = alertSettingsOf(check.settings, check.accountAlertSettings)
      const released = releaseAlert(alertState, settings, nowMs)
      if (released === null) continue
      const child = {
        ...childOf(check),
        heldSinceMs: alertState.heldSinceMs ?? nowMs,
        runsSoon: runsSoon.has(check.no),
      }
      if (!(await dependencies.isReleased(child))) continue
      const { reason, alertType, next, due, episodeSinceMs } = released
      const { rule, from, to, runCount, minutes, threshold } = reason
      const about = news.get(check.no)
      const result = await resultOf(tx, parts, check, about)
      const decision: NewDecision = {
        checkNo: check.no,
        atMs: nowMs,
        checkRunId: about?.checkRunId ?? null,
        resultId: result.id,
        ...{ from, to, alertType, rule, due },
        inputs: { runCount, minutes, threshold },
        muted: check.muted,
      }
      alerts.push({
        ...toAlert(check, result, view, alertType, reason, String(episodeSinceMs)),
        decision,
        reminders: remindersAfter(alertState, released, settings, nowMs),
      })
      const turn = incidentTurn(released, check.muted)
      if (turn !== null)
        turns.push({ accountId: check.accountId, checkNo: check.no, turn, trigger: check.settings.triggerIncident })
      told.push({ checkNo: check.no, ...next })
    }
    if (alerts.length === 0) return 0
    await noteTold(tx, told)
    await parts.enqueueAlerts(tx, alerts)
    await followIncidents(tx, turns, parts.subscribers)
    return alerts.length
  })
}

/** What shows the trouble; what is not kept any more leaves its time. */
async function resultOf(
  tx: Db,
  { results }: RecordingParts,
  { no, alertState }: CheckInHand,
  news: HeldNews | undefined,
): Promise<Parameters<typeof toAlert>[1]> {
  const unknown = { locationNo: null, responseTimeMs: null, statusCode: null, error: null }
  if (news === undefined) return { ...unknown, id: randomUUID(), startedAtMs: alertState.sinceMs }
  const { resultId: id, checkRunId, event } = news
  if (event !== null)
    return { ...unknown, id, responseTimeMs: event.durationMs, error: event.error, startedAtMs: event.atMs }
  const finals = checkRunId === null ? [] : await results.finalsOf(tx, no, checkRunId)
  const telling: Omit<JudgedResult, 'checkRunId'> | undefined =
    tellingResult(finals, alertState.state === 'failing' ? 'failed' : 'degraded') ??
    finals.find((final) => final.id === id)
  if (telling === undefined) return { ...unknown, id, startedAtMs: alertState.sinceMs }
  return { ...telling, error: (await results.find(tx, no, telling.id))?.detail?.error ?? null }
}
