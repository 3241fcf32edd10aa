/** What a run asks for, the process that it is given, and what becomes of it there. */
import type { RuntimeId, ScriptEngine } from '@vedette/schema'
import type { EgressProxy } from '../scripts/egress-proxy.ts'
import { type FoldedRun, RunFold } from './fold-events.ts'
import type { PlaywrightJob } from './job.ts'
import type { PlaywrightProcess } from './playwright-process.ts'

export interface WantedRun {
  runtimeId: RuntimeId
  /** Whether pages are opened. */
  hasPages: boolean
  /** Whose run it is, if its translation may be kept for the next. */
  checkId?: string
  /** The archive, of a suite. */
  bundle?: string
}

/** The same for runs whose processes are loaded with the same. */
export const kindOf = ({ runtimeId, hasPages }: WantedRun) => `${runtimeId}-${hasPages ? 'pages' : 'requests'}`

export type PlaywrightEnd = FoldedRun & {
  /** Why the run did not come to its end. */
  problem: { text: string; ours: boolean; isForWantOfRoom?: true } | null
}

/** A process, its folder and its way out. */
export interface PreparedRun {
  facts: { runtimeId: RuntimeId; engine: ScriptEngine; browser: string | null }
  process: PlaywrightProcess
  tell: (fold: RunFold) => void
  proxy: EgressProxy
  /** Whether the process crashed, or was lost, before anything was heard of the script. */
  crashedEarly(): boolean
  close(): Promise<void>
}

/** Leaves nothing behind. @throws Error when the process does not come to be ready */
export async function perform(prepared: PreparedRun, job: PlaywrightJob): Promise<PlaywrightEnd> {
  try {
    await prepared.process.ready()
    const fold = new RunFold(prepared.facts, Date.now())
    prepared.tell(fold)
    const problem = await prepared.process.run(job)
    const folded = fold.finish(Date.now())
    folded.run.jobLog.push(...prepared.proxy.refusals)
    folded.run.jobLog.sort((a, b) => a.time - b.time)
    if (problem === null) return { ...folded, problem }
    if (problem.isOutOfTime) folded.run.status = 'timedout'
    const { problem: text, ours, isForWantOfRoom } = problem
    return { ...folded, problem: { text, ours, ...(isForWantOfRoom && { isForWantOfRoom }) } }
  } finally {
    await prepared.close()
  }
}

/** The end of a run that no process was had for, which is trouble of ours. */
export function withoutProcess({ runtimeId }: WantedRun, text: string): PlaywrightEnd {
  const now = Date.now()
  const fold = new RunFold({ runtimeId, engine: 'plain', browser: null }, now)
  return { ...fold.finish(now), problem: { text, ours: true } }
}
