/** What whoever asks for a run wants to be different from the check's settings. */
export interface Demand {
  /** Another host than the check's own. */
  environmentUrl?: string
  /** What whoever asks calls that host. */
  environmentName?: string
  /** The first attempt is the last. */
  withoutRetries?: boolean
}
