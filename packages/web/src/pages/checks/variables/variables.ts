/** Variables of a check or a group as its form holds them. */
import type { ShownVariable, VariableItem } from '@vedette/schema'
import { type Visibility, visibilityOf } from '../../../api/visibility.ts'

export interface DraftVariable {
  key: string
  value: string
  visibility: Visibility
  /** A secret that is there already: without a new value it keeps its own, which nobody can read. */
  isKept: boolean
}

export const BLANK_VARIABLE: DraftVariable = { key: '', value: '', visibility: 'plain', isKept: false }

export const draftVariables = (variables: readonly ShownVariable[]): DraftVariable[] =>
  variables.map(({ key, value, locked, secret }) => ({
    key,
    value: value ?? '',
    visibility: visibilityOf({ locked, secret }),
    isKept: secret,
  }))

/** Rows left empty are not meant. */
export const writeVariables = (variables: readonly DraftVariable[]): VariableItem[] =>
  variables
    .filter(({ key }) => key.trim() !== '')
    .map(({ key, value, visibility, isKept }) => ({
      key: key.trim(),
      value: isKept && value === '' ? null : value,
      locked: visibility === 'locked',
      secret: visibility === 'secret',
    }))
