/** A check as the server holds it: columns for what is queried, the kind’s settings as validated JSON. */
import { effectiveRetryStrategy } from '@vedette/core'
import type {
  AlertSettings,
  CheckKind,
  CheckStored,
  DataCenter,
  RetryStrategy,
  RUNTIMES,
  TriggerIncident,
} from '@vedette/schema'

/** What scheduling, judging and alerting read of a check, whatever its kind. Defaults are filled in. */
export interface CheckSettings {
  description: string | null
  locations: DataCenter[]
  privateLocations: string[]
  runParallel: boolean
  /** Minutes; 0: every `frequencyOffset` seconds. */
  frequency: number
  frequencyOffset: number
  /** Absent where the older `doubleCheck` decides. */
  retryStrategy?: RetryStrategy | null
  doubleCheck: boolean
  shouldFail: boolean
  useGlobalAlertSettings: boolean
  alertSettings: AlertSettings | null
  runtimeId: (typeof RUNTIMES)[number] | null
  triggerIncident: TriggerIncident | null
  /** Ids of checks of the account that this one cannot do without; see `parentsOf`. */
  dependsOn?: string[]
}

/** Columns of their own, or kept elsewhere. */
type ApartFields = 'name' | 'activated' | 'muted' | 'tags' | 'groupId' | 'groupOrder' | 'alertChannelSubscriptions'

/** Everything a client sets that is not a column of its own. */
export type SettingsOf<K extends CheckKind> = CheckSettings &
  Omit<CheckStored<K>, ApartFields | keyof CheckSettings | 'checkType'>

/** What a group may have changed, as it counts. */
export interface InForce<S extends CheckSettings> {
  activated: boolean
  muted: boolean
  tags: string[]
  settings: S
}

interface CheckOf<K extends CheckKind> extends InForce<SettingsOf<K>> {
  no: number
  id: string
  accountId: string
  kind: K
  name: string
  groupId: number | null
  groupOrder: number | null
  /** With the settings of the group put over: what the check runs and alerts by. */
  effective: InForce<SettingsOf<K>>
  /** What was taken out of the settings, sealed; null once it is back in its places. */
  sealed: { own: string | null; effective: string | null } | null
  createdAt: Date
  updatedAt: Date | null
}
export type StoredCheckOf<K extends CheckKind> = CheckOf<K>
/** Whoever only needs its schedule, alert settings or tags leaves it as it is stored: without its secrets. */
export type StoredCheck = { [K in CheckKind]: CheckOf<K> }[CheckKind]

export interface OpenCheckOf<K extends CheckKind> extends CheckOf<K> {
  sealed: null
}
/** With its secrets in their places: to be shown, changed or run. */
export type OpenCheck = { [K in CheckKind]: OpenCheckOf<K> }[CheckKind]

/** With one set of settings: those that were written, or those that it runs by. */
export type ShownCheckOf<K extends CheckKind> = Omit<OpenCheckOf<K>, 'effective' | 'sealed'>
export type ShownCheck = { [K in CheckKind]: ShownCheckOf<K> }[CheckKind]

/** The alert settings that count: the account’s, unless the check has its own and says so. */
export function alertSettingsOf(
  settings: Pick<CheckSettings, 'useGlobalAlertSettings' | 'alertSettings'>,
  account: AlertSettings,
): AlertSettings {
  return settings.useGlobalAlertSettings ? account : (settings.alertSettings ?? account)
}

/** The checks that one depends on by itself. What a server wrote that knew of none has none. */
export function parentsOf({ dependsOn = [] }: Pick<CheckSettings, 'dependsOn'>): string[] {
  return dependsOn
}

export function retryStrategyOf(
  check: Pick<CheckSettings, 'doubleCheck'> & Partial<Pick<CheckSettings, 'retryStrategy'>>,
): RetryStrategy | null {
  return effectiveRetryStrategy(check)
}
