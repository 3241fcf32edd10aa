/** The check kinds that can run. A new kind is listed here once; the registries elsewhere are mapped over it. */
import type { Static } from 'typebox'
import { ApiCheckResult, type ApiObservation, ApiSettings } from './api.ts'

export const RUNNABLE_KINDS = ['API'] as const
export type RunnableKind = (typeof RUNNABLE_KINDS)[number]

/** What a runner is given of a check, by kind. */
export const kindSettings = { API: ApiSettings } as const satisfies Record<RunnableKind, unknown>
export type KindSettings<K extends RunnableKind> = Static<(typeof kindSettings)[K]>

/** What a result of a kind tells beyond the shared fields. */
export const kindDetails = { API: ApiCheckResult } as const satisfies Record<RunnableKind, unknown>
export type KindDetail<K extends RunnableKind> = Static<(typeof kindDetails)[K]>

/** What a probe of a kind brings back. */
export interface KindObservations {
  API: ApiObservation
}
