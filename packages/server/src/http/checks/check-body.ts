/** From a body to the fields of a check: defaults, rules of the kind, and what an update leaves as it is. */
import { randomUUID } from 'node:crypto'
import { chooseOffset, problemOfOffset } from '@vedette/core'
import {
  AlertSettings,
  type CheckKind,
  checkKinds,
  type HeartbeatSchedule,
  RetryStrategy,
  type TcpRequestWrite,
  type VariableItem,
} from '@vedette/schema'
import type { Static } from 'typebox'
import { invalidField } from '../../app-error.ts'
import type { CheckSettings, InForce, OpenCheckOf, SettingsOf } from '../../checks/check.ts'
import { clean, complete } from '../validation.ts'
import { assertRules } from './kind-rules.ts'

export interface CheckFields<K extends CheckKind> extends InForce<SettingsOf<K>> {
  kind: K
  name: string
  groupId: number | null
  groupOrder: number | null
}

/** A body that its kind's schema has found valid: what all kinds share of it is read here. */
type Body = Partial<CheckSettings> & {
  name?: string
  activated?: boolean
  muted?: boolean
  tags?: string[]
  groupId?: number | null
  groupOrder?: number | null
  alertChannelSubscriptions?: unknown
  checkType?: unknown
  request?: Static<typeof TcpRequestWrite>
  heartbeat?: { pingToken?: string | null; schedule?: HeartbeatSchedule | null }
  environmentVariables?: VariableItem[] | null
}

/** @throws AppError `invalid` for what the schema cannot say. */
export function newCheck<K extends CheckKind>(kind: K, body: object): CheckFields<K> {
  const given: Body = withoutDoubleCheck(body)
  const full: Body = completed(checkKinds[kind].stored, withOneName(kind, given))
  const isPassive = kind === 'HEARTBEAT'
  const hasPlace = isPassive || (given.privateLocations?.length ?? 0) > 0 || given.groupId != null
  return toFields(kind, full, null, {
    // Nothing chosen at all means one place; an explicit empty list means none.
    locations: given.locations ?? (given.locations === undefined && !hasPlace ? ['us-east-1'] : []),
    frequencyOffset: isPassive ? 0 : offsetFor(kind, full.frequency ?? 10, given.frequencyOffset, undefined),
  })
}

/** The stored check with the given fields put over it; absent ones stay. */
export function changedCheck<K extends CheckKind>(kind: K, stored: OpenCheckOf<K>, body: object): CheckFields<K> {
  const { name, activated, muted, tags, groupId, groupOrder, settings } = stored
  const given: Body = withOneName(kind, clean(checkKinds[kind].update, body))
  const merged: Body = { name, activated, muted, tags, groupId, groupOrder, ...settings, ...withoutAbsent(given) }
  const full: Body = completed(checkKinds[kind].stored, merged)
  return toFields(kind, full, stored, {
    locations: merged.locations ?? [],
    frequencyOffset:
      kind === 'HEARTBEAT' ? 0 : offsetFor(kind, full.frequency ?? 10, given.frequencyOffset, settings.frequencyOffset),
  })
}

function toFields<K extends CheckKind>(
  kind: K,
  full: Body,
  stored: OpenCheckOf<K> | null,
  resolved: Pick<CheckSettings, 'locations' | 'frequencyOffset'>,
): CheckFields<K> {
  const {
    name = '',
    activated = true,
    muted = false,
    tags = [],
    groupId = null,
    groupOrder = null,
    alertChannelSubscriptions: _apart,
    checkType: _known,
    ...rest
  } = full
  const shared: CheckSettings = {
    description: rest.description ?? null,
    locations: [...new Set(resolved.locations)],
    privateLocations: [...new Set(rest.privateLocations ?? [])],
    runParallel: rest.runParallel ?? false,
    frequency: kind === 'HEARTBEAT' ? 0 : (rest.frequency ?? 10),
    frequencyOffset: resolved.frequencyOffset,
    ...(rest.retryStrategy === undefined
      ? {}
      : { retryStrategy: rest.retryStrategy && completeRetry(rest.retryStrategy) }),
    doubleCheck: rest.doubleCheck ?? kind !== 'PLAYWRIGHT',
    shouldFail: rest.shouldFail ?? false,
    useGlobalAlertSettings: rest.useGlobalAlertSettings ?? true,
    alertSettings:
      // Who wants settings of the check's own and says nothing of them has the usual ones.
      rest.alertSettings || rest.useGlobalAlertSettings === false
        ? completed<AlertSettings>(AlertSettings, rest.alertSettings ?? {})
        : null,
    runtimeId: rest.runtimeId ?? null,
    triggerIncident: rest.triggerIncident ?? null,
    dependsOn: [...new Set((rest.dependsOn ?? []).map((id) => id.toLowerCase()))],
  }
  const settings = {
    ...rest,
    ...shared,
    ...(rest.environmentVariables
      ? { environmentVariables: withKeptSecrets(rest.environmentVariables, secretsOf(stored)) }
      : {}),
    ...(rest.heartbeat ? { heartbeat: completeHeartbeat(rest.heartbeat, stored) } : {}),
  }
  // Validated by the schema of the kind, completed by it, and cleaned of all other keys.
  const own = settings as unknown as SettingsOf<K>
  assertRules(kind, own)
  return { kind, name, activated, muted, tags: [...new Set(tags)], groupId, groupOrder, settings: own }
}

/** TCP checks have two names for two fields. */
function withOneName(kind: CheckKind, body: Body): Body {
  if (kind !== 'TCP' || body.request === undefined) return body
  const { url, body: text, ...request } = body.request
  const hostname = request.hostname ?? url
  if (hostname === undefined) throw invalidField('request.hostname', 'is required')
  return { ...body, request: { ...request, hostname, data: request.data ?? text ?? null } }
}

/** Who chooses a strategy, or none, has chosen against the older setting, unless they say otherwise. */
function withoutDoubleCheck(body: Body): Body {
  const hasChosen = body.retryStrategy !== undefined && body.doubleCheck === undefined
  return hasChosen ? { ...body, doubleCheck: false } : body
}

/** A single retry has no number and no duration; a bare `onlyOn` becomes a list. */
export function completeRetry(given: RetryStrategy): RetryStrategy {
  const { maxRetries, maxDurationSeconds, ...rest } = completed<RetryStrategy>(RetryStrategy, given)
  const onlyOn = typeof rest.onlyOn === 'string' ? [rest.onlyOn] : rest.onlyOn
  const strategy = { ...rest, ...(onlyOn === undefined ? {} : { onlyOn }) }
  return strategy.type === 'SINGLE_RETRY' ? strategy : { ...strategy, maxRetries, maxDurationSeconds }
}

/** Kinds that cannot choose their offset have a random one, so that they spread too. */
const CHOOSES_OFFSET: readonly CheckKind[] = ['API', 'URL', 'TCP', 'DNS', 'GRPC', 'ICMP', 'SSL']

/** The offset asked for, else the one stored while it still fits, else a random one, so that checks spread. */
function offsetFor(kind: CheckKind, frequency: number, asked: number | undefined, stored: number | undefined): number {
  if (asked !== undefined && CHOOSES_OFFSET.includes(kind)) {
    const problem = problemOfOffset(frequency, asked)
    if (problem !== null) throw invalidField('frequencyOffset', problem)
    return asked
  }
  if (stored !== undefined && problemOfOffset(frequency, stored) === null) return stored
  return chooseOffset(frequency, Math.random())
}

/** A secret whose value was not sent again keeps the one that is there. */
export function withKeptSecrets(
  wanted: readonly VariableItem[],
  stored: ReadonlyMap<string, string>,
  field = 'environmentVariables',
): VariableItem[] {
  return wanted.map((item, index) => {
    const kept = stored.get(item.key)
    const value = item.value ?? kept
    if (value === undefined) throw invalidField(`${field}.${index}.value`, 'is required')
    // Once secret, always secret.
    return { ...item, value, secret: item.secret || kept !== undefined }
  })
}

export function secretsIn(items: readonly VariableItem[] | null | undefined): Map<string, string> {
  return new Map((items ?? []).flatMap(({ key, value, secret }) => (secret && value !== null ? [[key, value]] : [])))
}

function secretsOf(stored: { settings: object } | null): Map<string, string> {
  const { environmentVariables }: Body = stored?.settings ?? {}
  return secretsIn(environmentVariables)
}

/** Who says nothing of the token or the schedule keeps what is there. */
function completeHeartbeat(given: NonNullable<Body['heartbeat']>, stored: { settings: object } | null) {
  const { heartbeat: kept }: Body = stored?.settings ?? {}
  return {
    ...given,
    schedule: given.schedule === undefined ? (kept?.schedule ?? null) : given.schedule,
    pingToken: given.pingToken ?? kept?.pingToken ?? randomUUID(),
  }
}

function withoutAbsent<T extends object>(value: T): T {
  const copy = { ...value }
  for (const key of Object.keys(copy)) if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key)
  return copy
}

function completed<T>(schema: Parameters<typeof complete>[0], value: unknown): T {
  // Validated before; `complete` only drops and fills in.
  return complete(schema, value) as T
}
