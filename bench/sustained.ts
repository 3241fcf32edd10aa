/** How many checks a second fit on the machine: API checks alone, and a mix of kinds. */
import { NETWORK_KINDS, type NetworkKind } from '../packages/schema/src/index.ts'
import { apiCheck, benchedKinds } from './bench-checks.ts'
import { startTarget } from './beside.ts'
import type { Installation } from './installation.ts'
import { isClean, load, type Share, troubleOf } from './load.ts'
import { perSecond } from './pace.ts'
import type { Row } from './table.ts'

/** A little more than is asked for, so that a batch at the edge of the measurement does not decide. */
const SPARE = 1.05

export async function benchSustained(installation: Installation): Promise<Row[]> {
  const rows: Row[] = []
  for (const { protocol, budget } of [
    { protocol: 'http', budget: 2000 },
    { protocol: 'https', budget: 900 },
  ] as const) {
    const target = await startTarget(protocol)
    const check = apiCheck(protocol, target.port)
    rows.push(
      await sustain(installation, `Sustained checks/s, ${protocol}, target on the same machine`, budget, [
        { check, rate: Math.ceil(budget * SPARE) },
      ]),
    )
    target.stop()
  }
  return rows
}

const MIX: { readonly [K in NetworkKind]?: number } = { API: 60, URL: 20, TCP: 10, DNS: 8, GRPC: 2 }
const MIXED_BUDGET = 2000

export async function benchMixed(installation: Installation): Promise<Row[]> {
  const shares: Share[] = []
  const stops: (() => void)[] = []
  for (const kind of NETWORK_KINDS) {
    const { target, check } = benchedKinds[kind]
    const percent = MIX[kind] ?? 0
    if (percent === 0 || target === null) continue
    const { port, stop } = await startTarget(target)
    stops.push(stop)
    shares.push({ check: check(port), rate: Math.ceil((MIXED_BUDGET * SPARE * percent) / 100) })
  }
  const mix = Object.entries(MIX).map(([kind, percent]) => `${percent} % ${kind}`)
  const row = await sustain(
    installation,
    `Sustained checks/s, ${mix.join(', ')}, targets on the same machine`,
    MIXED_BUDGET,
    shares,
  )
  for (const stop of stops) stop()
  return [row]
}

async function sustain(
  installation: Installation,
  figure: string,
  budget: number,
  shares: readonly Share[],
): Promise<Row> {
  const checks = await load(installation, shares)
  return {
    figure,
    budget: `≥ ${budget}, none failed or missed`,
    measured: `${checks.perSecond.toFixed(0)}, p99 lateness ≤ ${checks.p99Ms} ms (${checks.parts})${troubleOf(checks)}`,
    met: checks.perSecond >= perSecond(budget) && isClean(checks),
  }
}
