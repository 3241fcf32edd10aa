/** What a probe brings back, whatever it looked at: an answer or a failure, never a verdict. */

/** The step at which a probe stopped. */
export type ProbePhase =
  /** Before anything is sent: scripts, and what templates make of the settings. */
  | 'prepare'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'send'
  | 'headers'
  | 'body'
  | 'redirect'
  /** Bytes of a protocol that only the user knows. */
  | 'data'
  /** The answer to a question: of a name server, of a pinged host, of a call. */
  | 'answer'

/**
 * Why no complete answer came: `target` blames the other side, `ours` blames this installation, `check` blames what the
 * user wrote: settings or scripts.
 */
export interface Failure {
  blame: 'target' | 'ours' | 'check'
  code: string
  /** One sentence that begins with the code. */
  message: string
  phase: ProbePhase
}

/** Exactly one of `response` and `failure` is the end of the story. */
export interface Observation<R> {
  /** The answer, complete or cut at a limit. */
  response: R | null
  failure: Failure | null
  /** From the first byte of work to the last byte of the answer, or to the failure. Milliseconds. */
  responseTimeMs: number
}
