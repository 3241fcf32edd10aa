/** Tokens with which a collector fetches the metrics of an account, and nothing else. */
import Type, { type Static } from 'typebox'
import { DateTime, Uuid } from './shape.ts'

/** `rawKey` is filled only in the answer that creates it. */
export const MetricsToken = Type.Object({
  id: Uuid,
  name: Type.String(),
  rawKey: Type.String(),
  maskedKey: Type.String(),
  created_at: DateTime,
})
export type MetricsToken = Static<typeof MetricsToken>

export const MetricsTokenCreate = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) })
