/** From a body to the fields of a group, and from a group to its answer. */
import { problemOfAssertion } from '@vedette/core'
import {
  AlertSettings,
  ApiCheckDefaults,
  type CheckGroup,
  type CheckGroupFields,
  CheckGroupV1Create,
  CheckGroupV1Update,
  CheckGroupV2Create,
  CheckGroupV2Update,
  type Subscription,
} from '@vedette/schema'
import { invalidField } from '../../app-error.ts'
import type { OpenGroup, StoredGroup } from '../../checks/group.ts'
import { completeRetry, secretsIn, withKeptSecrets } from '../checks/check-body.ts'
import { shownVariables, withoutLocked } from '../checks/present.ts'
import { clean, complete } from '../validation.ts'

export type GroupFields = Omit<StoredGroup, 'id' | 'accountId' | 'sealed' | 'createdAt' | 'updatedAt'>

const SCHEMAS = {
  1: { create: CheckGroupV1Create, update: CheckGroupV1Update },
  2: { create: CheckGroupV2Create, update: CheckGroupV2Update },
} as const

/** @throws AppError `invalid` for what the schema cannot say. */
export function newGroup(version: 1 | 2, body: object): GroupFields {
  return toFields(version, completed<CheckGroupFields>(SCHEMAS[version].create, body), null)
}

/** The stored group with the given fields put over it; absent ones stay. */
export function changedGroup(version: 1 | 2, stored: OpenGroup, body: object): GroupFields {
  const { name, activated, muted, tags, settings } = stored
  const given = Object.entries(clean(SCHEMAS[version].update, body)).filter(([, value]) => value !== undefined)
  const merged = { name, activated, muted, tags, ...settings, ...Object.fromEntries(given) }
  // What a group of version 1 never said is no opinion of one of version 2.
  const full = completed<CheckGroupFields>(SCHEMAS[version].create, merged)
  return toFields(version, full, stored)
}

function toFields(version: 1 | 2, full: CheckGroupFields, stored: OpenGroup | null): GroupFields {
  const {
    name,
    activated = true,
    muted = false,
    tags = [],
    alertChannelSubscriptions: _apart,
    retryStrategy,
    alertSettings,
    ...rest
  } = full
  const apiCheckDefaults = completed<ApiCheckDefaults>(ApiCheckDefaults, rest.apiCheckDefaults ?? {})
  apiCheckDefaults.assertions?.forEach((assertion, index) => {
    const problem = problemOfAssertion(assertion)
    if (problem !== null) {
      throw invalidField(`apiCheckDefaults.assertions.${index}.${problem.property}`, problem.reason)
    }
  })
  const isOwn = retryStrategy !== undefined && retryStrategy !== null && retryStrategy !== 'FALLBACK'
  return {
    version,
    name,
    activated,
    muted,
    tags: [...new Set(tags)],
    settings: {
      ...rest,
      locations: [...new Set(rest.locations ?? [])],
      privateLocations: rest.privateLocations ? [...new Set(rest.privateLocations)] : null,
      concurrency: rest.concurrency ?? 3,
      apiCheckDefaults,
      environmentVariables: withKeptSecrets(
        rest.environmentVariables ?? [],
        secretsIn(stored?.settings.environmentVariables),
      ),
      alertSettings: alertSettings
        ? completed<AlertSettings>(AlertSettings, alertSettings)
        : version === 1 && alertSettings === undefined
          ? completed<AlertSettings>(AlertSettings, {})
          : null,
      ...(retryStrategy === undefined ? {} : { retryStrategy: isOwn ? completeRetry(retryStrategy) : retryStrategy }),
    },
  }
}

export function presentGroup(
  group: OpenGroup,
  subscriptions: readonly Subscription[],
  checks: readonly string[],
  showLocked: boolean,
): CheckGroup {
  const { settings } = group
  return {
    id: group.id,
    name: group.name,
    description: settings.description ?? null,
    activated: group.activated,
    muted: group.muted,
    tags: group.tags,
    locations: settings.locations,
    privateLocations: settings.privateLocations,
    concurrency: settings.concurrency,
    apiCheckDefaults: showLocked ? settings.apiCheckDefaults : withoutLocked(settings.apiCheckDefaults),
    browserCheckDefaults: '',
    environmentVariables: shownVariables(settings.environmentVariables, showLocked),
    doubleCheck: settings.doubleCheck ?? group.version === 1,
    useGlobalAlertSettings: settings.useGlobalAlertSettings ?? null,
    alertSettings: settings.alertSettings ?? null,
    alertChannelSubscriptions: [...subscriptions],
    setupSnippetId: settings.setupSnippetId ?? null,
    tearDownSnippetId: settings.tearDownSnippetId ?? null,
    localSetupScript: settings.localSetupScript ?? null,
    localTearDownScript: settings.localTearDownScript ?? null,
    runtimeId: settings.runtimeId ?? null,
    retryStrategy: settings.retryStrategy ?? null,
    runParallel: settings.runParallel ?? null,
    checks: [...checks],
    version: group.version,
    created_at: group.createdAt.toISOString(),
    updated_at: group.updatedAt?.toISOString() ?? null,
  }
}

function completed<T>(schema: Parameters<typeof complete>[0], value: unknown): T {
  // Validated before; `complete` only drops and fills in.
  return complete(schema, value) as T
}
