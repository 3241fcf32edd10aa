/** What runners call. */
import { routes } from '@vedette/schema'
import { AppError } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import { notify } from '../../db/signals.ts'
import { type RecordingParts, recordReports } from '../../recording/record-reports.ts'
import { type LeaseParts, leaseRuns, pace, readLeaseName } from '../../scheduling/lease.ts'
import * as store from '../../scheduling/store.ts'
import type { Call, Serve } from '../serve.ts'

/** A lease whose answer is still on its way is not yet among those that the runner says it holds. */
const ANSWER_ON_ITS_WAY_MS = 15_000

type RunnerCall = Call<
  typeof routes.leaseRuns | typeof routes.runnerHeartbeat | typeof routes.reportRuns | typeof routes.runnerSignOut
>

export function serveRunner(serve: Serve, leasing: LeaseParts, recording: RecordingParts): void {
  const { db } = leasing
  const lastLeases = new Map<number, number>()

  serve(routes.runnerSignIn, async ({ body, caller }) => {
    const view = await leasing.locations()
    const runnerId = await store.addRunner(db, {
      keyId: caller.keyId,
      name: body.name,
      version: body.version,
      kinds: body.kinds,
      builtIn: caller.locationNo === null,
      locationNo: caller.locationNo,
    })
    const numbers = caller.locationNo === null ? view.builtIn() : [caller.locationNo]
    return { runnerId, locations: numbers.flatMap((no) => view.get(no)?.slug ?? []) }
  })

  serve(routes.runnerHeartbeat, async (call) => {
    const { id } = await seen(db, call, call.body.trouble)
    if (call.body.holding !== undefined) {
      const holding = call.body.holding.flatMap((name) => readLeaseName(name)?.resultId ?? [])
      await freed(db, await store.freeUnknownLeases(db, id, holding, ANSWER_ON_ITS_WAY_MS))
    }
    return null
  })

  serve(routes.runnerSignOut, async (call) => {
    const { id } = await seen(db, call, null)
    const free = await store.freeLeasesOf(db, id)
    await store.forgetRunner(db, id)
    lastLeases.delete(id)
    await freed(db, free)
    return null
  })

  serve(routes.leaseRuns, async (call) => {
    const runner = await seen(db, call, undefined)
    const hangUp = new AbortController()
    call.request.raw.once('close', () => hangUp.abort())
    await pace(leasing, runner, lastLeases.get(runner.id), hangUp.signal)
    const runs = await leaseRuns(leasing, runner, call.body, hangUp.signal)
    lastLeases.set(runner.id, performance.now())
    return { runs }
  })

  serve(routes.reportRuns, async (call) => {
    const runner = await seen(db, call, undefined)
    return recordReports(recording, runner.id, call.body.reports)
  })
}

/** @throws AppError `gone` for a runner that did not sign in with this key, or long ago. */
async function seen(db: Db, { body, caller }: Pick<RunnerCall, 'body' | 'caller'>, trouble: string | null | undefined) {
  const runner = await store.seeRunner(db, body.runnerId, caller.keyId, trouble)
  if (runner === undefined) throw new AppError('gone', 'This runner is not known. Sign in again.')
  return runner
}

async function freed(db: Db, runs: readonly store.FreedRun[]): Promise<void> {
  if (runs.length > 0) await notify(db, 'runs', [...new Set(runs.map((run) => run.locationNo))].join(','))
}
