/** The audit log: who changed what. Written in the transaction of the change, so that neither is there alone. */
import type { Route } from '@vedette/schema'
import type { Caller } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import { appendChange } from './store.ts'

export interface AuditedChange {
  /** What it was; absent for something new. */
  before?: unknown
  /** What it is now; absent for something deleted. */
  after?: unknown
  /** The id of what was changed; the path parameters unless given. */
  subject?: string
}

export async function recordChange(
  tx: Db,
  change: AuditedChange & { subject: string; caller: Caller; route: Route; address: string },
): Promise<void> {
  await appendChange(tx, {
    accountId: change.caller.accountId,
    userId: change.caller.userId,
    keyId: change.caller.keyId,
    address: change.address,
    operation: `${change.route.method} ${change.route.path}`,
    subject: change.subject,
    before: withoutSecrets(change.before),
    after: withoutSecrets(change.after),
  })
}

/** Names under which secrets travel. What is shown to readers has none; this is the second bolt on the door. */
const SECRET_NAMES = new Set([
  'apikey',
  'key_hash',
  'passphrase',
  'password',
  'pingtoken',
  'pingurl',
  'rawkey',
  'servicekey',
  'token',
  'webhooksecret',
])

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  const hides = 'value' in value && (Reflect.get(value, 'locked') === true || Reflect.get(value, 'secret') === true)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      (SECRET_NAMES.has(name.toLowerCase()) || (hides && name === 'value')) && part !== null && part !== ''
        ? '********'
        : withoutSecrets(part),
    ]),
  )
}
