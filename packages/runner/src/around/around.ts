/** What is done before and after an observation with what the user wrote: variables are filled in, scripts are run. */
import type { KindObservations, KindSettings, LeasedRunOf, RunnableKind } from '@vedette/schema'
import type { ScriptJob } from '../scripts/script-job.ts'
import type { ScriptEnd } from '../scripts/script-process.ts'

export interface Surrounded<K extends RunnableKind> {
  /** As they were used: what is judged and told. */
  settings: KindSettings<K>
  observation: KindObservations[K]
  /** Found on the way, and to be told to nobody. */
  hidden: readonly string[]
}

export interface AroundTools<K extends RunnableKind> {
  /** @param keepBytes so much of a body is wanted at least */
  observe(settings: KindSettings<K>, keepBytes?: number): Promise<KindObservations[K]>
  /** Null where there is no isolation to run it in. */
  runScript(job: ScriptJob): Promise<ScriptEnd | null>
}

export type Around<K extends RunnableKind> = (run: LeasedRunOf<K>, tools: AroundTools<K>) => Promise<Surrounded<K>>
