/** What scripts around an API check cost, against the same check without any and a bare start of Node.js. */
import { apiCheck } from './bench-checks.ts'
import { besideBare, startTarget } from './beside.ts'
import type { Installation } from './installation.ts'
import { isClean, load, troubleOf } from './load.ts'
import type { Row } from './table.ts'

/** Each starts a process: two cores are far from busy with these. */
const RATE = 2
const SECONDS = 40
const SETUP = "request.headers['x-run'] = String(Date.now())"
const TEAR_DOWN = "if (response.statusCode !== 200) throw new Error('not well')"

export async function benchScripts(installation: Installation): Promise<Row[]> {
  const target = await startTarget('http')
  const plain = apiCheck('http', target.port)
  const shapes = {
    'a script before': { ...plain, localSetupScript: SETUP },
    'scripts before and after': { ...plain, localSetupScript: SETUP, localTearDownScript: TEAR_DOWN },
  }
  try {
    const without = await load(installation, [{ check: plain, rate: RATE }], SECONDS)
    const rows: Row[] = []
    for (const [name, check] of Object.entries(shapes)) {
      const { bareUs, outcome } = await besideBare('start of Node.js', 0, RATE, () =>
        load(installation, [{ check, rate: RATE }], SECONDS),
      )
      const extraUs = outcome.machineUs - without.machineUs
      const trouble = troubleOf(without) + troubleOf(outcome)
      rows.push({
        figure: `CPU of an API check with ${name} at ${RATE}/s, beyond that of one without, of the whole machine`,
        budget: 'none',
        measured: `${(extraUs / 1000).toFixed(1)} ms, ${(extraUs / bareUs).toFixed(2)} × a bare start of Node.js (${(bareUs / 1000).toFixed(1)} ms)${trouble}`,
        met: isClean(without) && isClean(outcome) ? null : false,
      })
      rows.push({
        figure: `Time of an API check with ${name}, beyond its request`,
        budget: 'none',
        measured: `${outcome.besidesMs.toFixed(1)} ms in the mean, ${without.besidesMs.toFixed(1)} ms without scripts`,
        met: null,
      })
    }
    return rows
  } finally {
    target.stop()
  }
}
