/** Ends that Node.js, or what it is made of, comes to by a fault of its own: scripts are JavaScript, and fail in other ways. */
import { constants } from 'node:os'

const CRASHES = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGABRT', 'SIGTRAP', 'SIGFPE'] as const
/** What V8 says of a script that wants more than its heap may have, before it aborts. */
const OUT_OF_MEMORY = /out of memory|Array buffer allocation failed/i

/** The signal of a crash; null: it ended in another way. Bubblewrap tells of signals as shells do. */
export const crashOf = (code: number | null, signal: string | null): string | null =>
  CRASHES.find((name) => signal === name || code === 128 + constants.signals[name]) ?? null

export const saysOutOfMemory = (line: string): boolean => OUT_OF_MEMORY.test(line)
