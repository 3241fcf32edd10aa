/** What came of telling somebody outside that the monitor is alive. */
export interface DeadMan {
  /** Milliseconds since 1970 of the last ping that was taken. */
  takenMs?: number
  /** Why the last one was not. */
  error?: string
}
