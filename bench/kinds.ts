/** What a check of each kind costs end to end, against the bare operation at its heart. */
import { NETWORK_KINDS } from '../packages/schema/src/index.ts'
import { type BenchedKind, benchedKinds } from './bench-checks.ts'
import { besideBare, startTarget } from './beside.ts'
import type { Installation } from './installation.ts'
import { isClean, type Load, load, troubleOf } from './load.ts'
import type { Row } from './table.ts'

/** Of the bare operation. What leasing, reporting and recording cost comes on top: it is the same for every kind. */
const BUDGET_RATIO = 2

interface Measured {
  bareUs: number
  outcome: Load
}

export async function benchKinds(installation: Installation): Promise<Row[]> {
  const measured = new Map<string, Measured & BenchedKind>()
  for (const kind of NETWORK_KINDS) {
    console.error(`  ${kind}`)
    const benched = benchedKinds[kind]
    measured.set(kind, { ...benched, ...(await measureKind(installation, benched)) })
  }
  const api = measured.get('API')
  if (api === undefined) throw new Error('API checks were not measured.')
  const fixedUs = Math.max(0, api.outcome.cpuUs - api.bareUs)
  return [...measured].map(([kind, { bareUs, bareName, rate, outcome }]) => {
    // The budget of API checks holds the whole run; others are granted what a run of an API check costs beyond its request.
    const isHttp = kind === 'API' || kind === 'URL'
    const budgetUs = BUDGET_RATIO * bareUs + (isHttp ? 0 : fixedUs)
    return {
      figure: `CPU of a check of kind ${kind} at ${rate}/s, against ${bareName}`,
      budget: isHttp ? `≤ ${BUDGET_RATIO} ×` : `≤ ${BUDGET_RATIO} × and a run’s fixed ${fixedUs.toFixed(0)} µs`,
      measured: `${(outcome.cpuUs / bareUs).toFixed(2)} × (${outcome.cpuUs.toFixed(0)} µs to ${bareUs.toFixed(0)} µs; ${outcome.parts})${troubleOf(outcome)}`,
      met: outcome.cpuUs <= budgetUs && isClean(outcome),
    }
  })
}

async function measureKind(installation: Installation, { target, check, bare, rate }: BenchedKind): Promise<Measured> {
  const { port, stop } = target === null ? { port: 0, stop: () => {} } : await startTarget(target)
  try {
    return await besideBare(bare, port, rate, () => load(installation, [{ check: check(port), rate }]))
  } finally {
    stop()
  }
}
