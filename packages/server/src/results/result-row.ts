/** How a result is packed into its narrow row. */
import { createHash } from 'node:crypto'
import { VERDICTS, type Verdict } from '@vedette/schema'

export interface ResultFlags {
  verdict: Verdict
  overMaxResponseTime: boolean
  final: boolean
  networkError: boolean
  /** The run was one of several in different places at once. */
  parallel: boolean
}

const OVER_MAX = 1 << 2
const FINAL = 1 << 3
const NETWORK_ERROR = 1 << 4
const PARALLEL = 1 << 5

export const FINAL_FLAG = FINAL

export function packFlags(flags: ResultFlags): number {
  return (
    VERDICTS.indexOf(flags.verdict) |
    (flags.overMaxResponseTime ? OVER_MAX : 0) |
    (flags.final ? FINAL : 0) |
    (flags.networkError ? NETWORK_ERROR : 0) |
    (flags.parallel ? PARALLEL : 0)
  )
}

export function unpackFlags(packed: number): ResultFlags {
  return {
    verdict: VERDICTS[packed & 3] ?? 'error',
    overMaxResponseTime: (packed & OVER_MAX) !== 0,
    final: (packed & FINAL) !== 0,
    networkError: (packed & NETWORK_ERROR) !== 0,
    parallel: (packed & PARALLEL) !== 0,
  }
}

/** The attempts of one run in one place share it; it is computed, not stored. Source of the form: RFC 9562, version 8. */
export function sequenceIdOf(checkNo: number, checkRunId: number, parallelLocationNo: number | null): string {
  const hash = createHash('sha256')
    .update(`${checkNo}/${checkRunId}/${parallelLocationNo ?? '*'}`)
    .digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
