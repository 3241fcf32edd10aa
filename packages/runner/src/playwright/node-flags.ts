/**
 * How Node.js is started for a run. Collecting garbage in one thread, and sooner than it would, saves a fifth of the memory
 * of a process that waits for its run, and no time is lost on machines that are busy.
 */
export const NODE_FLAGS: readonly string[] = ['--no-warnings', '--single-threaded-gc', '--max-semi-space-size=4']
