/**
 * How Node.js is started where it is to be forked: with as few threads as it can do with, for none of them is copied; and so
 * that a run finds compiled what it may need, and room for what it makes, for all that it changes it has to copy.
 */
export const TEMPLATE_FLAGS: readonly string[] = [
  ...['--single-threaded', '--v8-pool-size=0', '--disable-sigusr1'],
  ...['--no-flush-bytecode', '--no-memory-reducer', '--min-semi-space-size=32', '--max-semi-space-size=32'],
]
