/** All locations and who serves them, as of a moment ago. */
import { weakestIsolation } from '@vedette/core'
import {
  HEARTBEAT_INTERVAL_MS,
  HEARTBEATS_MISSED_BEFORE_LOST,
  type Isolation,
  type RunnableKind,
} from '@vedette/schema'
import type { Db } from '../db/database.ts'
import { type LocationRow, loadLiveRunners, loadLocations } from './location-store.ts'

export const LOST_AFTER_MS = HEARTBEAT_INTERVAL_MS * HEARTBEATS_MISSED_BEFORE_LOST

export type ServedBy = 'built-in' | 'runner' | 'nobody'

export interface LocationView {
  get(no: number): LocationRow | undefined
  all(): readonly LocationRow[]
  /** Numbers of the locations that a check names: data centers first, then private ones, each in stored order. */
  numbersOf(accountId: string, locations: readonly string[], privateLocations: readonly string[]): number[]
  servedBy(no: number): ServedBy
  /** Served by a runner that can run checks of the kind. */
  isServedFor(no: number, kind: RunnableKind): boolean
  /** Served, and by a runner that is believed. */
  canJudge(no: number): boolean
  /** Why nobody who serves a location now is believed; null when somebody is, or nobody serves it. */
  quarantineOf(no: number): string | null
  /** What holds for all runners that serve a location now; null when none serves it, or none has said. */
  isolationOf(no: number): Isolation | null
  /** Why a runner is not believed now. */
  quarantineOfRunner(id: number): string | null
  /** Whether two locations are served by runners of their own: one can confirm what the other saw. */
  areApart(no: number, other: number): boolean
  /** What the built-in runner serves now: its locations less those that a runner elsewhere has taken over. */
  builtIn(): number[]
}

/** Which of some locations to run in: those where somebody is believed, else those that somebody serves at all. */
export function fitIn(
  view: Pick<LocationView, 'servedBy' | 'canJudge'>,
  locations: readonly number[],
): (no: number) => boolean {
  return locations.some(view.canJudge) ? view.canJudge : (no) => view.servedBy(no) !== 'nobody'
}

export async function loadLocationView(db: Db, builtInSlugs: readonly string[]): Promise<LocationView> {
  const [rows, live] = await Promise.all([loadLocations(db), loadLiveRunners(db, LOST_AFTER_MS)])
  const byNo = new Map(rows.map((row) => [row.no, row]))
  const bySlug = new Map(rows.map((row) => [`${row.accountId ?? ''}/${row.slug}`, row.no]))
  const elsewhere = new Set(live.flatMap((runner) => (runner.locationNo === null ? [] : [runner.locationNo])))
  const builtInAlive = live.some((runner) => runner.builtIn)
  const builtInNumbers = builtInSlugs.flatMap((slug) => bySlug.get(`/${slug}`) ?? [])
  const builtInSet = new Set(builtInNumbers)
  const servedBy = (no: number): ServedBy =>
    elsewhere.has(no) ? 'runner' : builtInAlive && builtInSet.has(no) ? 'built-in' : 'nobody'
  const reasons = new Map(live.map((runner) => [runner.id, runner.quarantine]))
  const servingAt = (no: number) =>
    servedBy(no) === 'nobody'
      ? []
      : live.filter((runner) => (elsewhere.has(no) ? runner.locationNo === no : runner.builtIn))
  const quarantineOf = (no: number): string | null => {
    const serving = servingAt(no)
    if (serving.length === 0 || serving.some(({ quarantine }) => quarantine === null)) return null
    return serving[0]?.quarantine ?? null
  }
  return {
    get: (no) => byNo.get(no),
    all: () => rows,
    numbersOf: (accountId, locations, privateLocations) => [
      ...locations.flatMap((slug) => bySlug.get(`/${slug}`) ?? []),
      ...privateLocations.flatMap((slug) => bySlug.get(`${accountId}/${slug}`) ?? []),
    ],
    servedBy,
    isServedFor: (no, kind) => servingAt(no).some(({ kinds }) => kinds.includes(kind)),
    canJudge: (no) => servedBy(no) !== 'nobody' && quarantineOf(no) === null,
    quarantineOf,
    isolationOf: (no) => weakestIsolation(servingAt(no).map(({ isolation }) => isolation)),
    quarantineOfRunner: (id) => reasons.get(id) ?? null,
    areApart: (no, other) => no !== other && (servedBy(no) === 'runner' || servedBy(other) === 'runner'),
    builtIn: () => builtInNumbers.filter((no) => !elsewhere.has(no)),
  }
}

const FRESH_MS = 1000

/** The view, loaded again when it is older than a second. */
export function locationViews(db: Db, builtInSlugs: readonly string[]): () => Promise<LocationView> {
  let view: Promise<LocationView> | undefined
  let loadedAt = 0
  return () => {
    if (view === undefined || performance.now() - loadedAt > FRESH_MS) {
      loadedAt = performance.now()
      const loading = loadLocationView(db, builtInSlugs)
      view = loading
      loading.catch(() => {
        if (view === loading) view = undefined
      })
    }
    return view
  }
}
