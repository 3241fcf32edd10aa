/** A runner of a private location that reports of scripts whatever a test wants it to have seen. */
import type { TestContext } from 'node:test'
import {
  type LeaseAnswer,
  type LeasedRun,
  type PrivateLocation,
  SCRIPT_KINDS,
  type ScriptKind,
  type ScriptRun,
  type SignInAnswer,
  type Verdict,
} from '@vedette/schema'
import { aReport } from '../../packages/server/src/testing/fake-runner.ts'
import type { Vedette } from '../start-vedette.ts'
import { send } from './browser.ts'

export interface Seen {
  verdict: Verdict
  error: string | null
  run: ScriptRun
}

const isOfScript = (leased: LeasedRun): leased is Extract<LeasedRun, { kind: ScriptKind }> =>
  SCRIPT_KINDS.some((kind) => kind === leased.kind)

/** Serves the location until the test ends. */
export async function serveScripts(
  t: TestContext,
  vedette: Vedette,
  slugName: string,
  see: (leased: LeasedRun) => Seen,
): Promise<void> {
  const location = await send<PrivateLocation>(vedette, '/v1/private-locations', { name: 'The attic', slugName })
  const runner = { ...vedette, apiKey: location.keys[0]?.rawKey ?? '' }
  const { runnerId } = await send<SignInAnswer>(runner, '/runner/v1/sign-in', {
    name: 'attic-1',
    version: 'test',
    kinds: SCRIPT_KINDS,
    runtimes: [{ id: '2025.04', playwright: '1.65.1', node: 'v24.21.0', engine: 'warm', packages: {} }],
    browser: { name: 'chromium-headless-shell', version: '156.0.7204.49' },
    recordsVideo: true,
    isolation: { level: 'strict', layers: ['seccomp', 'cgroup'] },
  })
  /** An answer without content is one as well. */
  const tell = (path: string, body: unknown) =>
    fetch(`${vedette.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${runner.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const end = new AbortController()
  const serving = (async () => {
    while (!end.signal.aborted) {
      await tell('/runner/v1/heartbeat', { runnerId, trouble: null })
      const lease = { runnerId, capacity: 10, horizonMs: 0, waitMs: 300 }
      const { runs } = await send<LeaseAnswer>(runner, '/runner/v1/lease', lease)
      const reports = runs.flatMap((leased) => {
        if (!isOfScript(leased)) return []
        const { verdict, error, run } = see(leased)
        const responseTimeMs = run.endTime - run.startTime
        const phases = leased.kind === 'BROWSER' ? [1, 1, 0, 0, 0] : null
        const detail = { kind: leased.kind, content: run }
        return [aReport(leased, verdict, { error, responseTimeMs, phases, detail })]
      })
      if (reports.length > 0) await send(runner, '/runner/v1/results', { runnerId, reports })
    }
  })()
  let trouble: unknown = null
  // The server goes away with the test, perhaps first.
  const ended = serving.catch((error: unknown) => {
    if (!vedette.process.killed) trouble = error
  })
  t.after(async () => {
    end.abort()
    await ended
    if (trouble !== null) throw trouble
  })
}
