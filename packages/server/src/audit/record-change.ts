/** The audit log: who changed what. Written in the transaction of the change, so that neither is there alone. */
import type { Route } from '@vedette/schema'
import type { Caller } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import { appendChanges } from './store.ts'

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
  const { caller, route, address, subject } = change
  await appendChanges(tx, [
    {
      accountId: caller.accountId,
      userId: caller.userId,
      keyId: caller.keyId,
      address,
      operation: operationOf(route),
      subject,
      before: withoutSecrets(change.before),
      after: withoutSecrets(change.after),
    },
  ])
  await notify(tx, 'changes', caller.accountId)
}

/** How the log names an operation. */
export function operationOf(route: Route): string {
  return `${route.method} ${route.path}`
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
