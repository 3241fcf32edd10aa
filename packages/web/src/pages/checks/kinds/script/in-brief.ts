/** A run of a script in a few words. */
import type { ScriptCheckResult } from '@vedette/schema'
import { plural } from '../../../../components/number.ts'
import { isUnwanted } from './step-tree.ts'

/** Of tests tried again only the last try counts. */
export function scriptInBrief(result: Pick<ScriptCheckResult, 'tests'> | null): string {
  if (result === null) return ''
  const tests = result.tests.filter(({ isLast }) => isLast)
  const wrong = tests.filter(isUnwanted).length
  if (tests.length === 0) return 'no test ran'
  return wrong === 0 ? plural(tests.length, 'test') : `${wrong} of ${plural(tests.length, 'test')} failed`
}
