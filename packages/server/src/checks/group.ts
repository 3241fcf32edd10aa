/** A check group as the server holds it. */
import type { ApiCheckDefaults, CheckGroupFields, DataCenter, VariableItem } from '@vedette/schema'

type ApartFields = 'name' | 'activated' | 'muted' | 'tags' | 'alertChannelSubscriptions'

/** Everything a client sets that is not a column of its own. Defaults are filled in. */
export type StoredGroupSettings = Omit<CheckGroupFields, ApartFields> & {
  locations: DataCenter[]
  privateLocations: string[] | null
  concurrency: number
  apiCheckDefaults: ApiCheckDefaults
  environmentVariables: VariableItem[]
}

export interface StoredGroup {
  id: number
  accountId: string
  version: 1 | 2
  name: string
  activated: boolean
  muted: boolean
  tags: string[]
  settings: StoredGroupSettings
  /** What was taken out of the settings; null once it is back in its places. */
  sealed: string | null
  createdAt: Date
  updatedAt: Date | null
}

/** With its secrets in their places. */
export interface OpenGroup extends StoredGroup {
  sealed: null
}
