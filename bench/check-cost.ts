/** What a passing API check costs end to end, how many fit, how late they start, and what they leave on disk. */

import { apiCheck } from './bench-checks.ts'
import { besideBare, startTarget } from './beside.ts'
import type { Installation } from './installation.ts'
import { isClean, load, troubleOf } from './load.ts'
import type { Row } from './table.ts'

export async function benchCheckCost(installation: Installation): Promise<Row[]> {
  const rows: Row[] = []
  const sizeBefore = await resultBytes(installation)
  for (const { protocol, budget, rate } of [
    { protocol: 'http', budget: 2, rate: 500 },
    { protocol: 'https', budget: 1.4, rate: 250 },
  ] as const) {
    const target = await startTarget(protocol)
    const check = apiCheck(protocol, target.port)
    const { bareUs, outcome } = await besideBare(protocol, target.port, rate, () =>
      load(installation, [{ check, rate }]),
    )
    target.stop()
    const ratio = outcome.cpuUs / bareUs
    rows.push({
      figure: `CPU of an API check, ${protocol}, at ${rate}/s`,
      budget: `≤ ${budget} × a bare request`,
      measured: `${ratio.toFixed(2)} × (${outcome.cpuUs.toFixed(0)} µs to ${bareUs.toFixed(0)} µs; ${outcome.parts})${troubleOf(outcome)}`,
      met: ratio <= budget && isClean(outcome),
    })
    if (protocol === 'https') continue
    rows.push({
      figure: `Lateness at ${rate} checks/s`,
      budget: 'p99 ≤ 25 ms',
      measured: `p50 ≤ ${outcome.p50Ms} ms, p99 ≤ ${outcome.p99Ms} ms`,
      met: (outcome.p99Ms ?? Number.POSITIVE_INFINITY) <= 25,
    })
    rows.push({
      figure: 'Bytes written to disk per check, WAL included',
      budget: '≤ 1,500',
      measured: `${outcome.bytesWritten.toFixed(0)}`,
      met: outcome.bytesWritten <= 1500,
    })
    const size = await resultBytes(installation)
    const bytes = (size.bytes - sizeBefore.bytes) / (size.rows - sizeBefore.rows)
    rows.push({
      figure: 'Result of a passing check on disk, with indexes',
      budget: '≤ 250 bytes',
      measured: `${bytes.toFixed(0)} bytes`,
      met: bytes <= 250,
    })
  }
  return rows
}

async function resultBytes({ pool }: Installation): Promise<{ bytes: number; rows: number }> {
  const { rows } = await pool.query<{ bytes: number; rows: number }>(
    `select (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 from pg_inherits where inhparent = 'check_results'::regclass) as bytes,
       (select count(*)::float8 from check_results) as rows`,
  )
  return rows[0] ?? { bytes: 0, rows: 0 }
}
