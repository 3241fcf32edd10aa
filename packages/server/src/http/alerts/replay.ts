/** Alert settings tried on the past of a check. */
import { type ReplayedAlert, replayAlerts } from '@vedette/core'
import type { AlertReplay, AlertSettings } from '@vedette/schema'
import { AppError } from '../../app-error.ts'
import { alertSettingsOf, type StoredCheck } from '../../checks/check.ts'
import type { Db } from '../../db/database.ts'
import type { ResultStore } from '../../results/result-store.ts'
import type { TimeWindow } from '../instants.ts'
import { accountAlertSettings, pastEvents } from './store.ts'

/** The runs of a day before the window tell in which state it begins. */
const LEAD_IN_MS = 24 * 3_600_000
/** Eight days of a run every ten seconds. */
const MOST_RUNS = 70_000
const MOST_LISTED = 1000

export async function replay(
  db: Db,
  results: Pick<ResultStore, 'pastRuns'>,
  check: StoredCheck,
  draft: AlertSettings,
  { fromMs, toMs }: TimeWindow,
): Promise<AlertReplay> {
  const live = alertSettingsOf(check.effective.settings, await accountAlertSettings(db, check.accountId))
  const window = { fromMs: fromMs - LEAD_IN_MS, toMs, limit: MOST_RUNS + 1 }
  const past =
    check.kind === 'HEARTBEAT' ? await pastEvents(db, check.no, window) : await results.pastRuns(db, check.no, window)
  if (past.length > MOST_RUNS) {
    const reason = `"from" must be nearer to "to": there are more than ${MOST_RUNS} runs between them and in the day before`
    throw new AppError('invalid', reason, { source: 'query', keys: ['from', 'to'] })
  }
  const alertsBy = (settings: AlertSettings) =>
    replayAlerts(past, settings, toMs).filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  const [byLive, byDraft] = [alertsBy(live), alertsBy(draft)]
  const [first, firstOfDraft] = [byLive[0], byDraft[0]]
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    runs: past.filter(({ atMs }) => atMs >= fromMs).length,
    live: present(byLive),
    draft: present(byDraft),
    comparison: {
      count: byDraft.length - byLive.length,
      firstAlertLaterByMs: first === undefined || firstOfDraft === undefined ? null : firstOfDraft.atMs - first.atMs,
    },
  }
}

function present(alerts: readonly ReplayedAlert[]): AlertReplay['live'] {
  const listed = alerts.slice(0, MOST_LISTED)
  return {
    count: alerts.length,
    alerts: listed.map(({ atMs, ...rest }) => ({ at: new Date(atMs).toISOString(), ...rest })),
  }
}
