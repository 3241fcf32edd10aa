import type { Role } from '@vedette/schema'

export const roleWords: Record<Role, string> = {
  OWNER: 'owner',
  ADMIN: 'administrator',
  READ_WRITE: 'read and write',
  READ_RUN: 'read and run',
  READ_ONLY: 'read only',
}
