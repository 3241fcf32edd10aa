import type { Place } from './seal.ts'

/** Where the sealed value of an account's variable belongs. */
export function placeOfVariable(accountId: string, rowId: string): Place {
  return { accountId, table: 'variables', column: 'sealed_value', rowId }
}
