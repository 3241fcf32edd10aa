/** Makes and changes checks of every kind, with all that hangs on them, in one transaction each. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type CheckKind, CODE_BUNDLE_PATH, checkKinds, type Subscription } from '@vedette/schema'
import { assertChannels, setSubscriptions, subscriptionsForNew } from '../../alerting/subscriptions-store.ts'
import { AppError, invalidField, notFound } from '../../app-error.ts'
import { useBundle } from '../../bundles/store.ts'
import { type OpenCheck, parentsOf, type StoredCheck } from '../../checks/check.ts'
import type { OpenGroup } from '../../checks/group.ts'
import { inForce } from '../../checks/in-force.ts'
import { openCheck, openGroup } from '../../checks/settings-secrets.ts'
import { findCheck, findCheckForUpdate, findGroup, lockConfiguration } from '../../checks/store.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { restartTimer } from '../../recording/heartbeats.ts'
import { syncSchedule } from '../../scheduling/sync-schedule.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { assertShown } from '../client-certificates/store.ts'
import { keepToken } from '../heartbeats/store.ts'
import { assertSnippets } from '../snippets/store.ts'
import { assertService } from '../status-page-services/store.ts'
import { validate } from '../validation.ts'
import { type CheckFields, changedCheck, newCheck } from './check-body.ts'
import { assertParents } from './parents-store.ts'
import * as store from './store.ts'

/** What writing a check needs besides a transaction. */
export interface Tools {
  clock: Clock
  secrets: Secrets
}

type Body = object & { alertChannelSubscriptions?: Subscription[] | undefined }

/** @throws AppError `invalid` for what the schema cannot say, `conflict` for a ping token that is taken. */
export async function createCheck<K extends CheckKind>(
  tx: Db,
  { clock, secrets }: Tools,
  accountId: string,
  kind: K,
  body: Body,
  autoAssignAlerts: boolean,
): Promise<OpenCheck> {
  await lockConfiguration(tx, accountId)
  const fields = newCheck(kind, body)
  const group = await findReferences(tx, secrets, accountId, fields, null)
  const check = await store.insertCheck(tx, secrets, accountId, fields, inForce(fields, group))
  const wanted = await subscriptionsForNew(tx, accountId, autoAssignAlerts, body.alertChannelSubscriptions ?? [])
  await setSubscriptions(tx, accountId, { checkNo: check.no }, wanted)
  await keepPingToken(tx, check)
  await syncSchedule(tx, check, 'created', clock.nowMs())
  return check
}

/** The check as it is, held until the transaction ends. @throws AppError `not-found`, also when it is of another kind. */
export async function lockCheck(
  tx: Db,
  secrets: Secrets,
  accountId: string,
  id: string,
  kind?: CheckKind,
): Promise<OpenCheck> {
  await lockConfiguration(tx, accountId)
  const stored = await findCheckForUpdate(tx, accountId, id)
  if (stored === undefined || (kind !== undefined && stored.kind !== kind)) throw notFound()
  return openCheck(secrets, stored)
}

/** @throws AppError `invalid` for what the schema of the kind, or its rules, refuse. */
export async function changeCheck(
  tx: Db,
  { clock, secrets }: Tools,
  stored: OpenCheck,
  body: Body,
): Promise<OpenCheck> {
  validate(checkKinds[stored.kind].update, body, 'payload')
  const { accountId } = stored
  const fields = changedCheck<CheckKind>(stored.kind, stored, body)
  const group = await findReferences(tx, secrets, accountId, fields, stored.id)
  const check = await store.updateCheck(tx, secrets, stored, fields, inForce(fields, group))
  if (body.alertChannelSubscriptions !== undefined) {
    await setSubscriptions(tx, accountId, { checkNo: check.no }, body.alertChannelSubscriptions)
  }
  await keepPingToken(tx, check)
  if (waitsAnew(stored, check)) await restartTimer(tx, check.no, clock.nowMs())
  await syncWithSchedule(tx, clock, stored, check)
  return check
}

/**
 * What a body would make, without making it: a new check, or the one whose id is given with the changes of the body.
 * Whatever creating or changing it would refuse is refused. @throws AppError
 */
export async function draftCheck(
  db: Db,
  secrets: Secrets,
  accountId: string,
  kind: CheckKind,
  body: Body,
  checkId: string | undefined,
): Promise<OpenCheck> {
  const stored = checkId === undefined ? undefined : await findCheck(db, accountId, checkId)
  if (checkId !== undefined && stored?.kind !== kind) throw notFound('There is no such check of this kind.')
  validate(checkKinds[kind][stored === undefined ? 'create' : 'update'], body, 'payload')
  const fields =
    stored === undefined
      ? newCheck<CheckKind>(kind, body)
      : changedCheck<CheckKind>(kind, openCheck(secrets, stored), body)
  const group = await findReferences(db, secrets, accountId, fields, stored?.id ?? null)
  await assertChannels(db, accountId, body.alertChannelSubscriptions ?? [])
  const check = {
    ...fields,
    no: stored?.no ?? 0,
    id: stored?.id ?? randomUUID(),
    accountId,
    effective: inForce(fields, group),
    sealed: null,
    createdAt: stored?.createdAt ?? new Date(),
    updatedAt: stored?.updatedAt ?? null,
  }
  // Made by the rules of the kind.
  return check as OpenCheck
}

/** The settings in force may have changed by a change of the check or of its group. */
export async function syncWithSchedule(
  tx: Db,
  clock: Clock,
  before: Pick<StoredCheck, 'effective'>,
  check: StoredCheck,
): Promise<void> {
  const change = before.effective.activated || !check.effective.activated ? 'changed' : 'activated'
  const placesOf = ({ effective: { settings } }: Pick<StoredCheck, 'effective'>) => [
    settings.locations,
    settings.privateLocations,
  ]
  await syncSchedule(tx, check, change, clock.nowMs(), !isDeepStrictEqual(placesOf(before), placesOf(check)))
}

/** What the fields refer to is there. Answers the group. @param id of the check, unless it is new */
async function findReferences<K extends CheckKind>(
  tx: Db,
  secrets: Secrets,
  accountId: string,
  fields: CheckFields<K>,
  id: string | null,
): Promise<OpenGroup | null> {
  await assertParents(tx, accountId, parentsOf(fields.settings), id)
  await store.assertPrivateLocations(tx, accountId, fields.settings.privateLocations)
  await assertSnippets(tx, accountId, fields.settings)
  if (isOfKind('PLAYWRIGHT', fields)) await assertBundle(tx, accountId, fields.settings.codeBundlePath)
  if (isOfKind('SSL', fields)) await assertShown(tx, accountId, fields.settings.request)
  const { triggerIncident } = fields.settings
  if (triggerIncident !== null) await assertService(tx, accountId, triggerIncident.serviceId)
  if (fields.groupId === null) return null
  const group = await findGroup(tx, accountId, fields.groupId)
  if (group === undefined) throw invalidField('groupId', `names the group ${fields.groupId}, which does not exist`)
  return openGroup(secrets, group)
}

function isOfKind<K extends CheckKind>(kind: K, fields: CheckFields<CheckKind>): fields is CheckFields<K> {
  return fields.kind === kind
}

/** @throws AppError `invalid` when the account has no such bundle */
async function assertBundle(tx: Db, accountId: string, path: string): Promise<void> {
  const sha256 = CODE_BUNDLE_PATH.sha256In(path)
  if (sha256 === undefined || !(await useBundle(tx, accountId, sha256)))
    throw invalidField('codeBundlePath', 'must be the path of a bundle that was uploaded to this account')
}

/** Switched on or off, or with another rhythm: what the timer of a heartbeat waited for is not expected any more. */
function waitsAnew(before: StoredCheck, after: StoredCheck): boolean {
  if (before.kind !== 'HEARTBEAT' || after.kind !== 'HEARTBEAT') return false
  if (before.activated !== after.activated) return true
  const { pingToken: _old, ...rhythmBefore } = before.settings.heartbeat
  const { pingToken: _new, ...rhythm } = after.settings.heartbeat
  return !isDeepStrictEqual(rhythmBefore, rhythm)
}

async function keepPingToken(tx: Db, check: StoredCheck): Promise<void> {
  if (check.kind !== 'HEARTBEAT') return
  const { pingToken } = check.settings.heartbeat
  if (pingToken == null) throw new Error('A stored heartbeat has a token.')
  if (!(await keepToken(tx, check.no, pingToken))) {
    throw new AppError('conflict', 'Another heartbeat has this pingToken.')
  }
}
