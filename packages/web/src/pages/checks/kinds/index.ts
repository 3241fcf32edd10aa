/** Every check kind that can run has its view here: a missing one does not compile. */
import { type CheckResult, RUNNABLE_KINDS, type RunnableKind } from '@vedette/schema'
import { apiView } from './api/api-view.ts'
import type { KindView } from './kind-view.ts'

export const kinds: { [K in RunnableKind]: KindView<K> } = { API: apiView }

/** The API names kinds that this version does not run. */
export const runnableKind = (kind: string | undefined): RunnableKind | undefined =>
  RUNNABLE_KINDS.find((runnable) => runnable === kind)

export const kindOf = (result: CheckResult): RunnableKind | undefined => runnableKind(result.checkType ?? 'API')
