/** Tells what somebody else's change made impossible from a query that is wrong. */
import { errorCode } from './embedded/errors.ts'

const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'

/** A value that is taken, or a thing that is gone: of two changes at the same moment, the second finds out like this. */
export function isConflict(error: unknown): boolean {
  const code = errorCode(error)
  return code === UNIQUE_VIOLATION || code === FOREIGN_KEY_VIOLATION
}
