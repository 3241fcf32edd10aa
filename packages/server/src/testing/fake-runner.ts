/** Speaks the runner protocol and reports whatever a test wants it to have seen. */
import { BEATS_BEFORE_QUARANTINE, BEATS_BEFORE_RELEASE } from '@vedette/core'
import type { Abilities, Isolation, LeasedRun, ReportAnswer, RunReport, ScriptLoad, Verdict } from '@vedette/schema'
import { RUNNABLE_KINDS, RUNTIMES, routes } from '@vedette/schema'
import { makeBuiltInKey } from '../auth/built-in-key.ts'
import type { TestServer } from './test-server.ts'

export interface FakeRunner {
  id: number
  key: string
  /** What is due within the horizon, 60 s before its time if need be; waits only when told to. */
  lease(options?: { capacity?: number; horizonMs?: number; waitMs?: number }): Promise<LeasedRun[]>
  /** The one run that is there. */
  leaseOne(options?: { horizonMs?: number; waitMs?: number }): Promise<LeasedRun>
  report(run: LeasedRun, verdict: Verdict, rest?: Partial<RunReport>): Promise<ReportAnswer>
  reportAll(reports: readonly RunReport[]): Promise<ReportAnswer>
  heartbeat(holding?: readonly string[]): Promise<void>
  /** As often as it takes for the server to believe it. Null: its controls answer. */
  sayCutOff(reason: string | null): Promise<void>
  /** Found out by now. */
  sayIsolation(isolation: Isolation): Promise<void>
  sayLoad(scriptLoad: ScriptLoad): Promise<void>
  /** Instead of what it said when it signed in. */
  sayAbilities(abilities: Partial<Abilities>): Promise<void>
  signOut(): Promise<void>
}

/** Everything that a check could ask for. */
export const ALL_ABILITIES: Abilities = {
  kinds: [...RUNNABLE_KINDS],
  runtimes: RUNTIMES.map((id) => ({
    ...{ id, playwright: '1.65.1', node: 'v24.21.0', engine: 'plain', packages: { axios: '1.21.1' } },
  })),
  browser: { name: 'chromium', version: '156.0' },
  recordsVideo: true,
}

/** One of the location that the key belongs to; without a key, the installation's own. */
export async function signInRunner(
  server: TestServer,
  key?: string,
  abilities: Partial<Abilities> = {},
): Promise<FakeRunner> {
  const ownKey = key ?? (await makeBuiltInKey(server.db)).raw
  const body = { name: 'test runner', version: 'test', ...ALL_ABILITIES, ...abilities }
  const { runnerId } = await server.call(routes.runnerSignIn, { body, key: ownKey })
  const runner: FakeRunner = {
    id: runnerId,
    key: ownKey,
    async lease({ capacity = 1000, horizonMs = 0, waitMs = 0 } = {}) {
      const request = { runnerId, capacity, horizonMs, waitMs }
      return (await server.call(routes.leaseRuns, { body: request, key: ownKey })).runs
    },
    async leaseOne(options) {
      const runs = await runner.lease(options)
      const [run] = runs
      if (run === undefined || runs.length > 1) throw new Error(`There are ${runs.length} runs where one was expected.`)
      return run
    },
    report: (run, verdict, rest = {}) => runner.reportAll([aReport(run, verdict, rest)]),
    reportAll: (reports) => server.call(routes.reportRuns, { body: { runnerId, reports: [...reports] }, key: ownKey }),
    async heartbeat(holding) {
      const request = { runnerId, trouble: null, ...(holding === undefined ? {} : { holding: [...holding] }) }
      await server.call(routes.runnerHeartbeat, { body: request, key: ownKey })
    },
    async sayCutOff(trouble) {
      const beats = trouble === null ? BEATS_BEFORE_RELEASE : BEATS_BEFORE_QUARANTINE
      for (let beat = 0; beat < beats; beat += 1)
        await server.call(routes.runnerHeartbeat, {
          body: { runnerId, trouble, isCutOff: trouble !== null },
          key: ownKey,
        })
    },
    async sayIsolation(isolation) {
      await server.call(routes.runnerHeartbeat, { body: { runnerId, trouble: null, isolation }, key: ownKey })
    },
    async sayLoad(scriptLoad) {
      await server.call(routes.runnerHeartbeat, { body: { runnerId, trouble: null, scriptLoad }, key: ownKey })
    },
    async sayAbilities(changed) {
      const said = { ...ALL_ABILITIES, ...abilities, ...changed }
      await server.call(routes.runnerHeartbeat, { body: { runnerId, trouble: null, abilities: said }, key: ownKey })
    },
    async signOut() {
      await server.call(routes.runnerSignOut, { body: { runnerId, trouble: null }, key: ownKey })
    },
  }
  return runner
}

/** As a runner reports what it saw, begun when it was due. */
export function aReport(run: LeasedRun, verdict: Verdict, rest: Partial<RunReport> = {}): RunReport {
  const isWell = verdict === 'passed' || verdict === 'degraded'
  return {
    leaseId: run.leaseId,
    verdict,
    startedAtMs: Math.max(run.dueAtMs, Date.now() - 50),
    durationMs: 40,
    latenessMs: 1,
    responseTimeMs: 40,
    overMaxResponseTime: false,
    networkError: verdict === 'error',
    statusCode: isWell ? 200 : verdict === 'failed' ? 500 : null,
    phases: verdict === 'error' ? null : [0, 1, 2, 30, 7],
    error: isWell ? null : verdict === 'failed' ? 'the status code is 500' : 'the probe broke',
    fingerprint: isWell ? 'usual' : null,
    detail: null,
    ...rest,
  }
}
