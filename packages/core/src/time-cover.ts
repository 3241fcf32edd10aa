/**
 * What a window of time is read from: days and hours that are rolled up, as large as they fit, and single results at its
 * edges and where nothing is rolled up yet. Nothing smaller than an hour is rolled up: a check that runs every ten minutes
 * would have as many roll-ups as results.
 */
export const ROLL_UP_MS = { hour: 3_600_000, day: 86_400_000 } as const
export type RollUpLevel = keyof typeof ROLL_UP_MS

export interface Piece {
  level: RollUpLevel | 'raw'
  fromMs: number
  toMs: number
}

export interface Stored {
  /** Everything before is rolled up, in all levels whose stretch has ended. */
  rolledUpToMs: number
  /** Since when single results are kept: the beginning of a day. */
  rawFromMs: number
}

const FROM_COARSE_TO_FINE = ['day', 'hour'] as const

/** The pieces cover the window without gap or overlap. What is older than single results is widened to whole hours. */
export function coverOf(fromMs: number, toMs: number, { rolledUpToMs, rawFromMs }: Stored): Piece[] {
  const from = fromMs < rawFromMs ? floorTo(fromMs, ROLL_UP_MS.hour) : fromMs
  const to = toMs < rawFromMs ? -floorTo(-toMs, ROLL_UP_MS.hour) : toMs
  return cover(from, to, rolledUpToMs, FROM_COARSE_TO_FINE)
}

function cover(fromMs: number, toMs: number, rolledUpToMs: number, levels: readonly RollUpLevel[]): Piece[] {
  if (fromMs >= toMs) return []
  const [level, ...finer] = levels
  if (level === undefined) return [{ level: 'raw', fromMs, toMs }]
  const size = ROLL_UP_MS[level]
  const first = -floorTo(-fromMs, size)
  const last = floorTo(Math.min(toMs, rolledUpToMs), size)
  if (first >= last) return cover(fromMs, toMs, rolledUpToMs, finer)
  return [
    ...cover(fromMs, first, rolledUpToMs, finer),
    { level, fromMs: first, toMs: last },
    ...cover(last, toMs, rolledUpToMs, finer),
  ]
}

function floorTo(atMs: number, sizeMs: number): number {
  return Math.floor(atMs / sizeMs) * sizeMs
}
