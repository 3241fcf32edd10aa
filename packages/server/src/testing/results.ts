/** Results of checks as if runs had brought them. */
import type { ApiCheck, RunDetail, Verdict } from '@vedette/schema'
import { postgresResults } from '../results/store.ts'
import { uuid7 } from '../uuid7.ts'
import type { TestServer } from './test-server.ts'

export interface GivenResult {
  atMs: number
  verdict: Verdict
  responseTimeMs: number
  location: string
  phases?: readonly number[] | null
  statusCode?: number | null
  /** False: an attempt that was followed by another. */
  final?: boolean
  attempt?: number
  /** What was kept of the run. */
  answer?: RunDetail | null
}

/** Answers their ids. */
export async function addResults(
  server: TestServer,
  check: Pick<ApiCheck, 'id'>,
  results: readonly GivenResult[],
): Promise<string[]> {
  const { no } = await server.db.selectFrom('checks').select('no').where('id', '=', check.id).executeTakeFirstOrThrow()
  const view = await server.locations()
  const ids = results.map(({ atMs }) => uuid7(atMs))
  await postgresResults.append(
    server.db,
    results.map((result, index) => ({
      id: ids[index] ?? uuid7(result.atMs),
      checkNo: no,
      locationNo: view.numbersOf(server.accountId, [result.location], [])[0] ?? 0,
      startedAtMs: result.atMs,
      checkRunId: Math.floor(result.atMs),
      detailId: result.answer == null ? null : (ids[index] ?? null),
      detail: result.answer == null ? null : { error: null, answer: result.answer },
      recordedAfterMs: result.responseTimeMs,
      durationMs: result.responseTimeMs,
      responseTimeMs: result.responseTimeMs,
      phases: result.phases ?? null,
      statusCode: result.statusCode ?? null,
      attempt: result.attempt ?? 1,
      flags: {
        verdict: result.verdict,
        overMaxResponseTime: false,
        final: result.final ?? true,
        networkError: result.statusCode === null,
        parallel: false,
      },
    })),
  )
  return ids
}
