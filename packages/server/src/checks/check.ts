/** A check as the server holds it: columns for what is queried, the kind’s settings as validated JSON. */
import { effectiveRetryStrategy } from '@vedette/core'
import type { AlertSettings, ApiCheckCreate, RetryStrategy, RunnableKind } from '@vedette/schema'

/** Everything a client sets that is not a column of its own. Defaults are filled in. */
export type CheckSettings = Omit<
  ApiCheckCreate,
  'name' | 'activated' | 'muted' | 'tags' | 'alertChannelSubscriptions' | 'frequency' | 'frequencyOffset'
> & { frequency: number; frequencyOffset: number }

export interface StoredCheck {
  no: number
  id: string
  accountId: string
  kind: RunnableKind
  name: string
  activated: boolean
  muted: boolean
  tags: string[]
  settings: CheckSettings
  createdAt: Date
  updatedAt: Date | null
}

/** The alert settings that count: the account’s, unless the check has its own and says so. */
export function alertSettingsOf(settings: CheckSettings, account: AlertSettings): AlertSettings {
  return settings.useGlobalAlertSettings === false ? (settings.alertSettings ?? account) : account
}

export function retryStrategyOf({ retryStrategy, doubleCheck }: CheckSettings): RetryStrategy | null {
  return effectiveRetryStrategy({ retryStrategy, doubleCheck: doubleCheck ?? true })
}
