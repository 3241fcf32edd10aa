/** A run of a script in a few words. */
import type { ScriptCheckResult } from '@vedette/schema'
import { plural } from '../../../../components/number.ts'
import { isUnwanted } from './step-tree.ts'

/** Of tests tried again only the last try counts. */
export function scriptInBrief(result: Pick<ScriptCheckResult, 'tests'> | null): string {
  if (result === null) return ''
  const tests = result.tests.filter(({ isLast }) => isLast)
  const wrong = tests.filter(isUnwanted)
  if (tests.length === 0) return 'no test ran'
  if (wrong.length === 0) return plural(tests.length, 'test')
  const late = wrong.filter(({ status }) => status === 'timedOut').length
  const of = `${wrong.length} of ${plural(tests.length, 'test')}`
  if (late === wrong.length) return `${of} timed out`
  return late === 0 ? `${of} failed` : `${of} failed, ${late} of them timed out`
}
