// Loaded before every test file: properties try the same cases in each run, so that a red test says that something changed.
// Which cases: FUZZ_SEED. Without it they are new ones each time.
import { readFileSync } from 'node:fs'

const { FUZZ_SEED } = process.env

// Most tests have no properties, and need not load what makes them.
if (FUZZ_SEED && readFileSync(process.argv[1], 'utf8').includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ seed: Number(FUZZ_SEED) })
}
