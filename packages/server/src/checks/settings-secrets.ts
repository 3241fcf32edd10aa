/** The secrets in the settings of checks and groups, kept apart from them: see `secrets/sealed-json.ts`. */

import { openJson, type SealedJson, sealJson } from '../secrets/sealed-json.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { CheckSettings, OpenCheck, StoredCheck } from './check.ts'
import type { OpenGroup, StoredGroup, StoredGroupSettings } from './group.ts'

/** Whose settings they are. */
interface Owner {
  accountId: string
  id: string
}

type Column = 'sealed' | 'effective_sealed'

export function sealCheckSettings(secrets: Secrets, owner: Owner, column: Column, settings: CheckSettings): SealedJson {
  return sealJson(secrets, placeOf(owner, column), settings, withoutSecrets(settings))
}

export function openCheckSettings<S>(
  secrets: Secrets,
  owner: Owner,
  column: Column,
  settings: S,
  sealed: string | null,
): S {
  return openJson(secrets, placeOf(owner, column), settings, sealed)
}

export function openCheck(secrets: Secrets, check: StoredCheck): OpenCheck {
  const { sealed } = check
  const opened = {
    ...check,
    ...(sealed && {
      settings: openCheckSettings(secrets, check, 'sealed', check.settings, sealed.own),
      effective: {
        ...check.effective,
        settings: openCheckSettings(secrets, check, 'effective_sealed', check.effective.settings, sealed.effective),
      },
    }),
    sealed: null,
  }
  // What is put back was of this kind when it was taken out.
  return opened as OpenCheck
}

export function sealGroupSettings(
  secrets: Secrets,
  group: Pick<StoredGroup, 'accountId' | 'id'>,
  settings: StoredGroupSettings,
): SealedJson {
  return sealJson(secrets, placeOfGroup(group), settings, withoutSecrets(settings))
}

export function openGroup(secrets: Secrets, group: StoredGroup): OpenGroup {
  return {
    ...group,
    settings: openGroupSettings(secrets, group),
    sealed: null,
  }
}

export function openGroupSettings(
  secrets: Secrets,
  group: Pick<StoredGroup, 'accountId' | 'id' | 'settings' | 'sealed'>,
): StoredGroup['settings'] {
  return openJson(secrets, placeOfGroup(group), group.settings, group.sealed)
}

function placeOf({ accountId, id }: Owner, column: Column) {
  return { accountId, table: 'checks', column, rowId: id }
}

function placeOfGroup({ accountId, id }: Pick<StoredGroup, 'accountId' | 'id'>) {
  return { accountId, table: 'check_groups', column: 'sealed', rowId: String(id) }
}

/** Empty: the values of items that are locked or secret, wherever they are, and the password of basic authentication. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const hidesValue = isSecretItem(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const isSecret = typeof part === 'string' && (key === 'password' || (key === 'value' && hidesValue))
      return [key, isSecret ? '' : withoutSecrets(part)]
    }),
  )
}

function isSecretItem(value: object): boolean {
  return ('locked' in value && value.locked === true) || ('secret' in value && value.secret === true)
}
