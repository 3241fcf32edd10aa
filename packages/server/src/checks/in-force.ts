/** Puts the settings of a group over those of a check: what `settingsInForce` decides, in the server's shapes. */
import { type SettingsInForce, settingsInForce } from '@vedette/core'
import {
  type ApiRequest,
  type CheckKind,
  CURRENT_RUNTIME,
  type RuntimeId,
  runtimeOfPlaywright,
  type VariableItem,
} from '@vedette/schema'
import type { CheckSettings, InForce, SettingsOf } from './check.ts'
import type { OpenGroup } from './group.ts'

export interface OwnFields<K extends CheckKind> extends InForce<SettingsOf<K>> {
  kind: K
}

/** Both with their secrets in their places. */
export function inForce<K extends CheckKind>(check: OwnFields<K>, group: OpenGroup | null): InForce<SettingsOf<K>> {
  const { request, environmentVariables, ...decided } = decide(check, group)
  const { retryStrategy: _own, ...own } = check.settings
  const shared: Pick<
    CheckSettings,
    'locations' | 'privateLocations' | 'runParallel' | 'retryStrategy' | 'doubleCheck'
  > &
    Pick<CheckSettings, 'useGlobalAlertSettings' | 'alertSettings' | 'runtimeId'> = {
    // A group names places and runtimes from the same lists as a check does.
    locations: decided.locations as CheckSettings['locations'],
    privateLocations: [...decided.privateLocations],
    runParallel: decided.runParallel,
    ...(decided.retryStrategy === undefined ? {} : { retryStrategy: decided.retryStrategy }),
    doubleCheck: decided.doubleCheck,
    useGlobalAlertSettings: decided.useGlobalAlertSettings,
    alertSettings: decided.alertSettings,
    runtimeId: decided.runtimeId as CheckSettings['runtimeId'],
  }
  const settings = {
    ...own,
    ...shared,
    ...(request === null ? {} : { request }),
    ...(environmentVariables === null ? {} : { environmentVariables: [...environmentVariables] }),
  }
  return {
    activated: decided.activated,
    muted: decided.muted,
    tags: [...decided.tags],
    // Only fields of the same types were replaced.
    settings: settings as unknown as SettingsOf<K>,
  }
}

/** With the sources of the decision. */
export function decide<K extends CheckKind>(check: OwnFields<K>, group: OpenGroup | null): SettingsInForce {
  return settingsInForce(
    {
      activated: check.activated,
      muted: check.muted,
      tags: check.tags,
      locations: check.settings.locations,
      privateLocations: check.settings.privateLocations,
      runParallel: check.settings.runParallel,
      retryStrategy: check.settings.retryStrategy,
      doubleCheck: check.settings.doubleCheck,
      useGlobalAlertSettings: check.settings.useGlobalAlertSettings,
      alertSettings: check.settings.alertSettings,
      runtimeId: runtimeOf(check),
      request: requestOf(check),
      environmentVariables: variablesOf(check),
    },
    group && {
      version: group.version,
      activated: group.activated,
      muted: group.muted,
      tags: group.tags,
      locations: group.settings.locations,
      privateLocations: group.settings.privateLocations ?? [],
      runParallel: group.settings.runParallel ?? null,
      retryStrategy: group.settings.retryStrategy,
      doubleCheck: group.settings.doubleCheck ?? false,
      useGlobalAlertSettings: group.settings.useGlobalAlertSettings ?? null,
      alertSettings: group.settings.alertSettings ?? null,
      runtimeId: group.settings.runtimeId ?? null,
      apiCheckDefaults: group.settings.apiCheckDefaults,
      environmentVariables: group.settings.environmentVariables,
    },
  )
}

/** Only API checks take the defaults of their group. */
function requestOf({ kind, settings }: { kind: CheckKind; settings: object }): ApiRequest | null {
  return kind === 'API' && 'request' in settings ? (settings.request as ApiRequest) : null
}

/** A suite names a version of Playwright instead, and takes no runtime from its group or the account. */
function runtimeOf({ kind, settings }: { kind: CheckKind; settings: CheckSettings }): RuntimeId | null {
  if (kind !== 'PLAYWRIGHT') return settings.runtimeId
  const { playwrightVersion } = settings as SettingsOf<'PLAYWRIGHT'>
  return runtimeOfPlaywright(playwrightVersion ?? '') ?? CURRENT_RUNTIME
}

const WITH_VARIABLES = ['BROWSER', 'MULTI_STEP', 'PLAYWRIGHT'] as const satisfies readonly CheckKind[]

/** Null for kinds that have none of their own. */
function variablesOf({ kind, settings }: { kind: CheckKind; settings: object }): VariableItem[] | null {
  if (!WITH_VARIABLES.some((other) => other === kind)) return null
  const { environmentVariables = null } = settings as SettingsOf<(typeof WITH_VARIABLES)[number]>
  return environmentVariables ?? []
}
