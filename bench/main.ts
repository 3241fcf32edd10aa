/**
 * `npm run bench [-- start cost kinds scripts playwright sustained mixed lists reads analytics alerts pages]`: every figure that the README quotes,
 * or some of them. `BENCH_SMOKE=1` measures next to nothing, to see that it runs.
 */
import { cpus, totalmem } from 'node:os'
import { benchAlerts } from './alerts.ts'
import { benchAnalytics } from './analytics.ts'
import { benchCheckCost } from './check-cost.ts'
import { type Installation, startInstallation } from './installation.ts'
import { benchKinds } from './kinds.ts'
import { benchLists } from './lists.ts'
import { IS_SMOKE } from './pace.ts'
import { benchPages } from './pages.ts'
import { benchPlaywright } from './playwright.ts'
import { benchReads } from './reads.ts'
import { benchScripts } from './scripts.ts'
import { benchStartUp } from './start-up.ts'
import { benchMixed, benchSustained } from './sustained.ts'
import { type Row, toMarkdown } from './table.ts'

const benches: Readonly<Record<string, () => Promise<Row[]>>> = {
  start: benchStartUp,
  cost: () => installed(benchCheckCost),
  kinds: () => installed(benchKinds),
  scripts: () => installed(benchScripts),
  playwright: benchPlaywright,
  sustained: () => installed(benchSustained),
  mixed: () => installed(benchMixed),
  lists: () => installed(benchLists),
  reads: () => installed(benchReads),
  analytics: () => installed(benchAnalytics),
  alerts: () => installed(benchAlerts),
  pages: () => installed(benchPages),
}

async function installed(bench: (installation: Installation) => Promise<Row[]>): Promise<Row[]> {
  const installation = await startInstallation()
  try {
    return await bench(installation)
  } finally {
    const trouble = installation.output().match(/^\{.*"level":"(warn|error)".*$/gm) ?? []
    if (trouble.length > 0) console.error(`The server said:\n${trouble.slice(0, 5).join('\n')}`)
    await installation.stop()
  }
}

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !Object.hasOwn(benches, name))
if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}": ${Object.keys(benches).join(', ')}`)
const rows: Row[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.error(`Measuring ${name} …`)
  rows.push(...(await bench()))
}
const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB of memory`
console.log(`Measured on ${machine}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.\n`)
if (IS_SMOKE) console.log('Only to see that it runs: none of this is a figure.\n')
console.log(toMarkdown(rows))
