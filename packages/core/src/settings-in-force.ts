/**
 * The settings by which a check runs: its own, with those of its group put over them. A group of version 1 always
 * overrides; one of version 2 only where it has an opinion. Alert settings end as a choice between the account's and
 * those that won here; the account's themselves are looked up when they are needed, as they may change at any time.
 */
import type {
  AlertSettings,
  ApiCheckDefaults,
  ApiRequest,
  GroupRetryStrategy,
  KeyValue,
  RetryStrategy,
  SettingLevel,
  VariableItem,
} from '@vedette/schema'

/** What of a check a group can change. */
export interface OwnSettings {
  activated: boolean
  muted: boolean
  tags: readonly string[]
  locations: readonly string[]
  privateLocations: readonly string[]
  runParallel: boolean
  /** Undefined where the older `doubleCheck` decides. */
  retryStrategy: RetryStrategy | null | undefined
  doubleCheck: boolean
  useGlobalAlertSettings: boolean
  alertSettings: AlertSettings | null
  runtimeId: string | null
  /** Of API checks. */
  request: ApiRequest | null
  /** Of kinds that have variables of their own. */
  environmentVariables: readonly VariableItem[] | null
}

export interface GroupSettings {
  version: 1 | 2
  activated: boolean
  muted: boolean
  tags: readonly string[]
  locations: readonly string[]
  privateLocations: readonly string[]
  runParallel: boolean | null
  retryStrategy: GroupRetryStrategy | undefined
  doubleCheck: boolean
  useGlobalAlertSettings: boolean | null
  alertSettings: AlertSettings | null
  runtimeId: string | null
  apiCheckDefaults: ApiCheckDefaults
  environmentVariables: readonly VariableItem[]
}

/** Where each setting comes from; lists can come from several places. */
export type SettingSources = {
  [F in keyof Omit<OwnSettings, 'doubleCheck' | 'useGlobalAlertSettings'>]: SettingLevel[]
}

export interface SettingsInForce extends OwnSettings {
  sources: SettingSources
}

export function settingsInForce(check: OwnSettings, group: GroupSettings | null): SettingsInForce {
  const alertsFrom: SettingLevel = check.useGlobalAlertSettings || check.alertSettings === null ? 'account' : 'check'
  const own: SettingsInForce = {
    ...check,
    sources: {
      activated: ['check'],
      muted: ['check'],
      tags: ['check'],
      locations: ['check'],
      privateLocations: ['check'],
      runParallel: ['check'],
      retryStrategy: ['check'],
      alertSettings: [alertsFrom],
      runtimeId: [check.runtimeId === null ? 'account' : 'check'],
      request: ['check'],
      environmentVariables: ['check'],
    },
  }
  if (group === null) return own
  const parts = [
    eitherSwitch(check, group),
    unitedTags(check, group),
    places(check, group),
    parallelism(check, group),
    retries(check, group),
    alerts(check, group),
    runtime(check, group),
    request(check, group),
    variables(check, group),
  ]
  const settings = Object.assign({}, own, ...parts)
  return { ...settings, sources: Object.assign({}, own.sources, ...parts.map(({ sources }) => sources)) }
}

type Part = Partial<OwnSettings> & { sources?: Partial<SettingSources> }

/** A check runs only if both say so, and is silent if either says so. */
function eitherSwitch(check: OwnSettings, group: GroupSettings): Part {
  return {
    activated: check.activated && group.activated,
    muted: check.muted || group.muted,
    sources: {
      activated: check.activated && !group.activated ? ['group'] : ['check'],
      muted: !check.muted && group.muted ? ['group'] : ['check'],
    },
  }
}

function unitedTags(check: OwnSettings, group: GroupSettings): Part {
  const tags = [...new Set([...check.tags, ...group.tags])]
  const from: SettingLevel[] = tags.length > check.tags.length ? ['check', 'group'] : ['check']
  return { tags, sources: { tags: check.tags.length === 0 && from.length > 1 ? ['group'] : from } }
}

/** One place named by the group replaces both lists of the check. */
function places(_check: OwnSettings, group: GroupSettings): Part {
  if (group.locations.length + group.privateLocations.length === 0) return {}
  const { locations, privateLocations } = group
  return { locations, privateLocations, sources: { locations: ['group'], privateLocations: ['group'] } }
}

function parallelism(_check: OwnSettings, { version, runParallel }: GroupSettings): Part {
  if (runParallel === null && version === 2) return {}
  return { runParallel: runParallel ?? false, sources: { runParallel: ['group'] } }
}

function retries(_check: OwnSettings, { retryStrategy, doubleCheck }: GroupSettings): Part {
  // A group of version 1 that was never given a strategy has none to put over that of its checks.
  if (retryStrategy === 'FALLBACK' || retryStrategy === undefined) return {}
  return { retryStrategy, doubleCheck, sources: { retryStrategy: ['group'] } }
}

function alerts(_check: OwnSettings, { version, useGlobalAlertSettings, alertSettings }: GroupSettings): Part {
  const opinion = version === 1 ? (useGlobalAlertSettings ?? true) : useGlobalAlertSettings
  if (opinion === null) return {}
  if (!opinion && alertSettings !== null) {
    return { useGlobalAlertSettings: false, alertSettings, sources: { alertSettings: ['group'] } }
  }
  if (!opinion && version === 2) return {}
  return { useGlobalAlertSettings: true, sources: { alertSettings: ['account'] } }
}

function runtime(check: OwnSettings, { runtimeId }: GroupSettings): Part {
  if (check.runtimeId !== null || runtimeId === null) return {}
  return { runtimeId, sources: { runtimeId: ['group'] } }
}

/** Headers and parameters of the check win by name; its assertions come first; its basic auth wins. */
function request(check: OwnSettings, { apiCheckDefaults: defaults }: GroupSettings): Part {
  if (check.request === null) return {}
  const { headers = [], queryParameters = [], assertions = [], basicAuth } = check.request
  const lower = (name: string) => name.toLowerCase()
  const exact = (name: string) => name
  const merged: ApiRequest = {
    ...check.request,
    headers: [...headers, ...missing(defaults.headers ?? [], headers, lower)],
    queryParameters: [...queryParameters, ...missing(defaults.queryParameters ?? [], queryParameters, exact)],
    assertions: [...assertions, ...(defaults.assertions ?? [])],
    basicAuth: hasCredentials(basicAuth)
      ? basicAuth
      : hasCredentials(defaults.basicAuth)
        ? defaults.basicAuth
        : basicAuth,
  }
  const adds =
    (merged.headers?.length ?? 0) > headers.length ||
    (merged.queryParameters?.length ?? 0) > queryParameters.length ||
    (merged.assertions?.length ?? 0) > assertions.length ||
    merged.basicAuth !== basicAuth
  return adds ? { request: merged, sources: { request: ['check', 'group'] } } : {}
}

/** Those of the check replace those of the group with the same key. The account’s are put below both where a run begins. */
function variables({ environmentVariables: own }: OwnSettings, group: GroupSettings): Part {
  if (own === null) return {}
  const keys = new Set(own.map(({ key }) => key))
  const inherited = group.environmentVariables.filter(({ key }) => !keys.has(key))
  if (inherited.length === 0) return {}
  const from: SettingLevel[] = own.length === 0 ? ['group'] : ['check', 'group']
  return { environmentVariables: [...inherited, ...own], sources: { environmentVariables: from } }
}

function missing(
  from: readonly KeyValue[],
  present: readonly KeyValue[],
  nameOf: (name: string) => string,
): readonly KeyValue[] {
  const names = new Set(present.map(({ key }) => nameOf(key)))
  return from.filter(({ key }) => !names.has(nameOf(key)))
}

function hasCredentials(auth: ApiRequest['basicAuth']): boolean {
  return auth != null && (auth.username !== '' || auth.password !== '')
}
