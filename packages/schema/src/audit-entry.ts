/** One line of the audit log: who did what to what, and what it was before and after. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, Uuid } from './shape.ts'

export const ACTOR_TYPES = ['user', 'key', 'service-key', 'link'] as const

export type ActorType = (typeof ACTOR_TYPES)[number]

export const AuditEntry = Type.Object({
  id: Type.Integer(),
  at: DateTime,
  actor: Type.Object({
    type: Type.Enum(ACTOR_TYPES, {
      description:
        'A person who was signed in, a key of a person, a key of the account, or whoever had a link from a message.',
    }),
    id: Nullable(Uuid, { description: 'Null for a link.' }),
    name: Nullable(Type.String()),
    userId: Nullable(Uuid, { description: 'The person who acted, also where a key of theirs was used.' }),
  }),
  address: Type.String(),
  operation: Type.String({ examples: ['DELETE /v1/checks/{id}'] }),
  subject: Type.String({ description: 'The id of what was changed.' }),
  before: Type.Unknown({ description: 'As a reader without write access would see it; null for something new.' }),
  after: Type.Unknown({ description: 'Null for something deleted.' }),
})
export type AuditEntry = Static<typeof AuditEntry>
