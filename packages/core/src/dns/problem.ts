/** What can be wrong with bytes that should be a message of a name server. */
export type DnsProblem =
  | 'CUT_SHORT'
  | 'TOO_LONG'
  | 'TOO_MANY_RECORDS'
  | 'LEFT_OVER'
  | 'BAD_NAME'
  | 'BAD_POINTER'
  | 'BAD_RECORD'

/** The only thing that reading a message throws. The message is the end of a sentence. */
export class DnsMessageError extends Error {
  readonly problem: DnsProblem

  constructor(problem: DnsProblem, message: string) {
    super(message)
    this.problem = problem
  }
}
