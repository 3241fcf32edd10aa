/**
 * The refusals that we foresee. The HTTP edge alone maps codes to statuses; everything else that is thrown is our own
 * trouble.
 */
export const ERROR_CODES = [
  'invalid',
  'unauthorized',
  'forbidden',
  'not-found',
  'method-not-allowed',
  'conflict',
  'gone',
  'mismatch',
  'still-running',
  'too-large',
  'too-many',
  'stopping',
  'no-runner',
  'no-room',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

export interface InvalidField {
  source: 'payload' | 'query' | 'params' | 'headers'
  keys: string[]
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly validation: InvalidField | undefined

  constructor(code: ErrorCode, message: string, validation?: InvalidField) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.validation = validation
  }
}

/** A field of the body breaks a rule. `reason` completes the sentence that begins with the field's name. */
export function invalidField(path: string, reason: string): AppError {
  return new AppError('invalid', `"${path}" ${reason}`, { source: 'payload', keys: [path] })
}

export function notFound(message = 'Not Found'): AppError {
  return new AppError('not-found', message)
}
