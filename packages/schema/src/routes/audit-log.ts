import Type from 'typebox'
import { AuditEntry } from '../audit-entry.ts'
import { CursorPage, CursorQuery, InstantQuery, route } from '../route.ts'
import { Uuid } from '../shape.ts'

export const listAuditLog = route({
  method: 'GET',
  path: '/v1/audit-log',
  policy: 'admin',
  tag: 'Audit log',
  summary: 'List who changed what, newest first',
  query: Type.Object({
    ...CursorQuery,
    from: InstantQuery,
    to: InstantQuery,
    operation: Type.Optional(Type.String({ maxLength: 200, description: 'Method and path, as entries show them.' })),
    subject: Type.Optional(Type.String({ maxLength: 200, description: 'The id of what was changed.' })),
    userId: Type.Optional(Uuid),
  }),
  answers: { 200: CursorPage(AuditEntry) },
})
