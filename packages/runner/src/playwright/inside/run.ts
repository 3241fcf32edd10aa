/** What every engine is given, and what it brings. */
import type { ScriptEvent } from '../event.ts'
import type { Settings } from './settings.ts'

export interface Run {
  settings: Settings
  /** The packages of the runtime. */
  modules: string
  /** Aborts when the run is to end, as by a SIGINT. */
  interruption: AbortSignal
}

type End = Extract<ScriptEvent, { is: 'end' }>
export type Outcome = Pick<End, 'status' | 'code'>
