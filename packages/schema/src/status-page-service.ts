/** Something that people depend on and that status pages show: the shop, the API. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, Uuid } from './shape.ts'

export const StatusPageServiceWrite = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) })
export type StatusPageServiceWrite = Static<typeof StatusPageServiceWrite>

export const StatusPageService = Type.Object({
  id: Uuid,
  name: Type.String(),
  accountId: Uuid,
  checks: Nullable(Type.Array(Type.Object({ id: Uuid, name: Type.String() })), {
    description: 'The checks that open incidents on the service by themselves; null if there is none.',
  }),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type StatusPageService = Static<typeof StatusPageService>

/** A service as a body names it. Only the id counts. */
export const ServiceReference = Type.Object({ id: Uuid })
