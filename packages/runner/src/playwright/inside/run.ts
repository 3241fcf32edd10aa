/** What every engine is given, and what it brings. */
import type { ScriptEvent } from '../event.ts'
import type { Settings } from './settings.ts'

export interface Run {
  settings: Settings
  /** The packages of the runtime. */
  modules: string
  /** Aborts when the run is to end, as by a SIGINT. */
  interruption: AbortSignal
  /** The files of the job, which the run did not make. */
  before: Set<string>
}

type End = Extract<ScriptEvent, { is: 'end' }>
export type Outcome = Pick<End, 'status' | 'code'>

const STATUSES: readonly End['status'][] = ['passed', 'failed', 'timedout', 'interrupted']

export function outcomeOf(status: string): End['status'] {
  return STATUSES.find((known) => known === status) ?? 'failed'
}

/** The whole run is gone, not just a test of it. */
export function endedBy(code: number | null): ScriptEvent {
  const how = code === null ? 'was ended' : `ended with code ${code}`
  return {
    is: 'fault',
    fault: { message: `The process ${how} before its tests were done`, stack: null, snippet: null, location: null },
  }
}
