import type { RunnableKind } from '@vedette/schema'
import type { Around } from './around.ts'
import { aroundApi, aroundUrl } from './http.ts'

/** Kinds that are not here are observed as their settings are. */
export const around: { readonly [K in RunnableKind]?: Around<K> } = { API: aroundApi, URL: aroundUrl }
