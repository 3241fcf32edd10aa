/** Runs that somebody asked for. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Demand } from '../db/demand.ts'

/** The instant as the name of a run, or the first after it that no other run of the check goes by. */
export async function freeCheckRunId(tx: Db, checkNo: number, nowMs: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select coalesce(check_run_id, (extract(epoch from due_at) * 1000)::bigint) as taken from schedule
    where check_no = ${checkNo}`.execute(tx)
  const taken = new Set(rows.map((row) => row.taken))
  let free = nowMs
  while (taken.has(free)) free += 1
  return free
}

export interface DemandedRun {
  checkNo: number
  locationNo: number
  parallel: boolean
  sessionId: string
  checkRunId: number
  demand: Demand | null
}

export async function addDemandedRuns(tx: Db, runs: readonly DemandedRun[]): Promise<void> {
  await tx
    .insertInto('schedule')
    .values(
      runs.map((run) => ({
        check_no: run.checkNo,
        location_no: run.locationNo,
        parallel: run.parallel,
        session_id: run.sessionId,
        check_run_id: run.checkRunId,
        demand: run.demand && JSON.stringify(run.demand),
        due_at: sql<Date>`now()`,
      })),
    )
    .execute()
}
