/** API checks between the wire and the store: what a body means, and what an answer shows. */
import { chooseOffset, problemOfAssertion, problemOfOffset } from '@vedette/core'
import {
  type AlertChannelsSummary,
  AlertSettings,
  type ApiCheck,
  ApiCheckCreate,
  ApiCheckUpdate,
  ApiRequest,
  FREQUENCIES,
  type KeyValue,
  RetryStrategy,
  type Subscription,
} from '@vedette/schema'
import { invalidField } from '../../app-error.ts'
import type { CheckSettings, StoredCheck } from '../../checks/check.ts'
import { clean, complete } from '../validation.ts'
import type { CheckFields } from './store.ts'

/** Instead of a value that the reader may not see. */
const MASK = '********'

/** @throws AppError `invalid` for what the schema cannot say. */
export function newApiCheck(body: ApiCheckCreate): CheckFields {
  const full = completed<ApiCheckCreate>(ApiCheckCreate, withoutDoubleCheck(body))
  return toFields(full, {
    // Nothing chosen at all means one place; an explicit empty list means none.
    locations: body.locations ?? (body.locations === undefined && !body.privateLocations?.length ? ['us-east-1'] : []),
    privateLocations: body.privateLocations ?? [],
    frequencyOffset: offsetFor(full.frequency ?? 10, body.frequencyOffset, undefined),
  })
}

/** The stored check with the given fields put over it; absent ones stay. */
export function changedApiCheck(stored: StoredCheck, body: ApiCheckUpdate): CheckFields {
  const { settings } = stored
  const merged: ApiCheckCreate = {
    ...settings,
    frequency: knownFrequency(body.frequency ?? settings.frequency),
    name: body.name ?? stored.name,
    activated: body.activated ?? stored.activated,
    muted: body.muted ?? stored.muted,
    tags: body.tags ?? stored.tags,
    ...withoutAbsent(known(body)),
  }
  const full = { ...merged, request: completed<ApiRequest>(ApiRequest, merged.request) }
  return toFields(full, {
    locations: merged.locations ?? [],
    privateLocations: merged.privateLocations ?? [],
    frequencyOffset: offsetFor(full.frequency ?? 10, body.frequencyOffset, settings.frequencyOffset),
  })
}

function toFields(
  full: ApiCheckCreate,
  resolved: Pick<CheckSettings, 'locations' | 'privateLocations' | 'frequencyOffset'>,
): CheckFields {
  const { name, activated, muted, tags, alertChannelSubscriptions: _apart, ...rest } = full
  full.request.assertions?.forEach((assertion, index) => {
    const problem = problemOfAssertion(assertion)
    if (problem !== null) throw invalidField(`request.assertions.${index}.${problem.property}`, problem.reason)
  })
  assertUrl(full.request.url)
  return {
    kind: 'API',
    name,
    activated: activated ?? true,
    muted: muted ?? false,
    tags: [...new Set(tags ?? [])],
    settings: {
      ...rest,
      ...resolved,
      locations: [...new Set(resolved.locations)],
      privateLocations: [...new Set(resolved.privateLocations)],
      frequency: rest.frequency ?? 10,
      ...(rest.retryStrategy ? { retryStrategy: completeRetry(rest.retryStrategy) } : {}),
      ...(rest.alertSettings ? { alertSettings: completed<AlertSettings>(AlertSettings, rest.alertSettings) } : {}),
    },
  }
}

/** Who chooses a strategy, or none, has chosen against the older setting, unless they say otherwise. */
function withoutDoubleCheck<B extends ApiCheckUpdate>(body: B): B {
  const hasChosen = body.retryStrategy !== undefined && body.doubleCheck === undefined
  return hasChosen ? { ...body, doubleCheck: false } : body
}

/** A single retry has no number and no duration; a bare `onlyOn` becomes a list. */
function completeRetry(given: RetryStrategy): RetryStrategy {
  const { maxRetries, maxDurationSeconds, ...rest } = completed<RetryStrategy>(RetryStrategy, given)
  const onlyOn = typeof rest.onlyOn === 'string' ? [rest.onlyOn] : rest.onlyOn
  const strategy = { ...rest, ...(onlyOn === undefined ? {} : { onlyOn }) }
  return strategy.type === 'SINGLE_RETRY' ? strategy : { ...strategy, maxRetries, maxDurationSeconds }
}

/** The offset asked for, else the one stored while it still fits, else a random one, so that checks spread. */
function offsetFor(frequency: number, asked: number | undefined, stored: number | undefined): number {
  if (asked !== undefined) {
    const problem = problemOfOffset(frequency, asked)
    if (problem !== null) throw invalidField('frequencyOffset', problem)
    return asked
  }
  if (stored !== undefined && problemOfOffset(frequency, stored) === null) return stored
  return chooseOffset(frequency, Math.random())
}

/** Templates may stand in a URL, so only what is plainly wrong is refused. */
function assertUrl(url: string): void {
  if (url.includes('{{')) return
  if (!/^https?:\/\//i.test(url)) throw invalidField('request.url', 'must begin with http:// or https://')
  if (!URL.canParse(url)) throw invalidField('request.url', 'must be a valid URL')
}

function knownFrequency(minutes: number) {
  const known = FREQUENCIES.find((frequency) => frequency === minutes)
  if (known === undefined) throw new Error(`A stored check has the frequency ${minutes}.`)
  return known
}

export function toApiCheck(
  check: StoredCheck,
  subscriptions: readonly Subscription[],
  alertChannels: AlertChannelsSummary,
  showLocked: boolean,
): ApiCheck {
  const { settings } = check
  return {
    id: check.id,
    checkType: 'API',
    name: check.name,
    description: settings.description ?? null,
    activated: check.activated,
    muted: check.muted,
    doubleCheck: settings.doubleCheck ?? true,
    shouldFail: settings.shouldFail ?? false,
    locations: settings.locations ?? [],
    privateLocations: settings.privateLocations ?? [],
    tags: check.tags,
    alertSettings: settings.alertSettings ?? null,
    useGlobalAlertSettings: settings.useGlobalAlertSettings ?? true,
    groupId: settings.groupId ?? null,
    groupOrder: settings.groupOrder ?? null,
    runtimeId: settings.runtimeId ?? null,
    alertChannelSubscriptions: [...subscriptions],
    retryStrategy: settings.retryStrategy ?? null,
    triggerIncident: settings.triggerIncident ?? null,
    runParallel: settings.runParallel ?? false,
    frequency: knownFrequency(settings.frequency),
    frequencyOffset: settings.frequencyOffset,
    request: showLocked ? settings.request : withoutLocked(settings.request),
    degradedResponseTime: settings.degradedResponseTime ?? null,
    maxResponseTime: settings.maxResponseTime ?? null,
    setupSnippetId: settings.setupSnippetId ?? null,
    tearDownSnippetId: settings.tearDownSnippetId ?? null,
    localSetupScript: settings.localSetupScript ?? null,
    localTearDownScript: settings.localTearDownScript ?? null,
    alertChannels: showLocked
      ? alertChannels
      : { ...alertChannels, webhook: alertChannels.webhook.map(withoutLockedHook) },
    created_at: check.createdAt.toISOString(),
    updated_at: check.updatedAt?.toISOString() ?? null,
  }
}

function withoutLocked(request: ApiRequest): ApiRequest {
  return {
    ...request,
    headers: request.headers?.map(masked),
    queryParameters: request.queryParameters?.map(masked),
    basicAuth: request.basicAuth && { ...request.basicAuth, password: request.basicAuth.password === '' ? '' : MASK },
  }
}

function withoutLockedHook(hook: AlertChannelsSummary['webhook'][number]) {
  return { ...hook, headers: hook.headers.map(masked), queryParameters: hook.queryParameters.map(masked) }
}

function masked(item: KeyValue): KeyValue {
  return item.locked ? { ...item, value: MASK } : item
}

/** Without the keys that an update does not know: clients send back what they were answered. */
function known(body: ApiCheckUpdate): ApiCheckUpdate {
  return clean(ApiCheckUpdate, body)
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
