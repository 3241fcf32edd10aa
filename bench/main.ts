/** `npm run bench [-- start cost sustained lists reads analytics]`: every figure that the README quotes, or some of them. */
import { cpus, totalmem } from 'node:os'
import { benchAnalytics } from './analytics.ts'
import { benchCheckCost, benchSustained } from './check-cost.ts'
import { type Installation, startInstallation } from './installation.ts'
import { benchLists } from './lists.ts'
import { benchReads } from './reads.ts'
import { benchStartUp } from './start-up.ts'
import { type Row, toMarkdown } from './table.ts'

const benches: Readonly<Record<string, () => Promise<Row[]>>> = {
  start: benchStartUp,
  cost: () => installed(benchCheckCost),
  sustained: () => installed(benchSustained),
  lists: () => installed(benchLists),
  reads: () => installed(benchReads),
  analytics: () => installed(benchAnalytics),
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
console.log(toMarkdown(rows))
