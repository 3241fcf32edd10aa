/** How Node.js is started for a run. Collecting garbage in one thread saves memory, and no time is lost on machines that are busy. */
export const NODE_FLAGS: readonly string[] = ['--no-warnings', '--single-threaded-gc']
