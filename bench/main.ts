/** `npm run bench [cost] [sustained] [lists] [start]`: every figure that the README quotes, or some of them. */
import { cpus, totalmem } from 'node:os'
import { benchCheckCost, benchSustained } from './check-cost.ts'
import { startInstallation } from './installation.ts'
import { type Row, toMarkdown } from './table.ts'

const parts = { cost: benchCheckCost, sustained: benchSustained } as const

const asked = process.argv.slice(2)
const rows: Row[] = []
for (const [name, bench] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const installation = await startInstallation()
  try {
    rows.push(...(await bench(installation)))
    const trouble = installation
      .output()
      .split('\n')
      .filter((line) => line.includes('"level"') && !line.includes('"debug"'))
    if (trouble.length > 0) console.error(trouble.slice(0, 5).join('\n'))
  } finally {
    await installation.stop()
  }
}
console.log(
  `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.versions.node}\n`,
)
console.log(toMarkdown(rows))
