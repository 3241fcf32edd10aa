/** All locations and who serves them, as of a moment ago. */
import {
  abilityWords,
  areFindingOut,
  canExecute,
  type Need,
  needOf,
  scriptsAt,
  weakestIsolation,
  whyUnable,
} from '@vedette/core'
import {
  type CheckKind,
  CURRENT_RUNTIME,
  HEARTBEAT_INTERVAL_MS,
  HEARTBEATS_MISSED_BEFORE_LOST,
  type Isolation,
  type LocationScripts,
  RUNNABLE_KINDS,
  type RuntimeId,
} from '@vedette/schema'
import type { Db } from '../db/database.ts'
import {
  type LiveRunner,
  type LocationRow,
  loadAccountRuntimes,
  loadLiveRunners,
  loadLocations,
} from './location-store.ts'

export const LOST_AFTER_MS = HEARTBEAT_INTERVAL_MS * HEARTBEATS_MISSED_BEFORE_LOST

export type ServedBy = 'built-in' | 'runner' | 'nobody'

export interface LocationView {
  get(no: number): LocationRow | undefined
  all(): readonly LocationRow[]
  /** Numbers of the locations that a check names: data centers first, then private ones, each in stored order. */
  numbersOf(accountId: string, locations: readonly string[], privateLocations: readonly string[]): number[]
  servedBy(no: number): ServedBy
  /** What a check asks of its runners: with its own runtime, else that of its account. */
  needOf(check: { kind: CheckKind; accountId: string; settings: { runtimeId: RuntimeId | null } }): Need
  /** Served by a runner that can execute it. */
  canRun(no: number, need: Need): boolean
  /** What those who serve any of the locations now lack; null where one of them can execute it, or nobody is there. */
  whyUnable(numbers: readonly number[], need: Need): string | null
  /** As `whyUnable`, but for whoever can wait until a runner that has only just come knows what it can do. */
  whyNever(numbers: readonly number[], need: Need): string | null
  /** Served, and by a runner that is believed. */
  canJudge(no: number): boolean
  /** Why nobody who serves a location now is believed; null when somebody is, or nobody serves it. */
  quarantineOf(no: number): string | null
  /** What holds for all runners that serve a location now; null when none serves it, or none has said. */
  isolationOf(no: number): Isolation | null
  /** What scripts are executed with at a location now; null when nobody there can. */
  scriptsOf(no: number): LocationScripts | null
  /** Runners of the installation's own locations that are there now. */
  ownRunners(): readonly LiveRunner[]
  /** What a runner can execute by what it said last; undefined when it has just signed in. */
  wordsOfRunner(id: number): readonly string[] | undefined
  /** Why a runner is not believed now. */
  quarantineOfRunner(id: number): string | null
  /** Whether two locations are served by runners of their own: one can confirm what the other saw. */
  areApart(no: number, other: number): boolean
  /** What the built-in runner serves now: its locations less those that a runner elsewhere has taken over. */
  builtIn(): number[]
}

/**
 * Which of some locations to run in: those where somebody can execute it and is believed, else where somebody can
 * execute it. Where nobody can, those that are believed, else those that somebody serves at all.
 */
export function fitIn(
  view: Pick<LocationView, 'servedBy' | 'canJudge' | 'canRun'>,
  locations: readonly number[],
  need: Need,
): (no: number) => boolean {
  const canRun = (no: number) => view.canRun(no, need)
  const best = (no: number) => canRun(no) && view.canJudge(no)
  const isServed = (no: number) => view.servedBy(no) !== 'nobody'
  return [best, canRun, view.canJudge].find((fits) => locations.some(fits)) ?? isServed
}

/** @param isStarting whether the built-in runner is still expected to come */
export async function loadLocationView(
  db: Db,
  builtInSlugs: readonly string[],
  { isStarting = false } = {},
): Promise<LocationView> {
  const [rows, live, runtimes] = await Promise.all([
    loadLocations(db),
    loadLiveRunners(db, LOST_AFTER_MS),
    loadAccountRuntimes(db),
  ])
  const byNo = new Map(rows.map((row) => [row.no, row]))
  const bySlug = new Map(rows.map((row) => [`${row.accountId ?? ''}/${row.slug}`, row.no]))
  const elsewhere = new Set(live.flatMap((runner) => (runner.locationNo === null ? [] : [runner.locationNo])))
  const builtInAlive = isStarting || live.some((runner) => runner.builtIn)
  const builtInNumbers = builtInSlugs.flatMap((slug) => bySlug.get(`/${slug}`) ?? [])
  const builtInSet = new Set(builtInNumbers)
  const servedBy = (no: number): ServedBy =>
    elsewhere.has(no) ? 'runner' : builtInAlive && builtInSet.has(no) ? 'built-in' : 'nobody'
  const reasons = new Map(live.map((runner) => [runner.id, runner.quarantine]))
  const words = new Map(live.map((runner) => [runner.id, abilityWords(runner)]))
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
    needOf: ({ kind, accountId, settings }) =>
      needOf(kind, settings.runtimeId ?? runtimes.get(accountId) ?? CURRENT_RUNTIME),
    canRun: (no, need) => servingAt(no).some((runner) => canExecute(runner, need)),
    whyUnable: (numbers, need) => whyUnable(numbers.flatMap(servingAt), need),
    whyNever: (numbers, need) => {
      const runners = numbers.flatMap(servingAt)
      return areFindingOut(runners, need) ? null : whyUnable(runners, need)
    },
    canJudge: (no) => servedBy(no) !== 'nobody' && quarantineOf(no) === null,
    quarantineOf,
    isolationOf: (no) => weakestIsolation(servingAt(no).map(({ isolation }) => isolation)),
    scriptsOf: (no) => scriptsAt(servingAt(no)),
    ownRunners: () => live.filter(({ locationNo }) => locationNo === null || byNo.get(locationNo)?.accountId === null),
    wordsOfRunner: (id) => words.get(id),
    quarantineOfRunner: (id) => reasons.get(id) ?? null,
    areApart: (no, other) => no !== other && (servedBy(no) === 'runner' || servedBy(other) === 'runner'),
    builtIn: () => builtInNumbers.filter((no) => !elsewhere.has(no)),
  }
}

/** Why no runner that is there can execute an active check; null where one can, or nobody is there. */
export function cannotRun(
  view: Pick<LocationView, 'needOf' | 'numbersOf' | 'whyUnable'>,
  check: {
    kind: CheckKind
    accountId: string
    activated: boolean
    settings: { locations: readonly string[]; privateLocations: readonly string[]; runtimeId: RuntimeId | null }
  },
): string | null {
  const { kind, accountId, activated, settings } = check
  // Heartbeats are not run.
  if (!activated || !RUNNABLE_KINDS.some((one) => one === kind)) return null
  const numbers = view.numbersOf(accountId, settings.locations ?? [], settings.privateLocations ?? [])
  return view.whyUnable(numbers, view.needOf(check))
}

const FRESH_MS = 1000

/**
 * The view, loaded again when it is older than a second. A runner that is being started counts as there, for as long as one
 * that has fallen silent does: whoever is quick to make a check must not find that nobody could run it.
 */
export function locationViews(db: Db, builtInSlugs: readonly string[]): () => Promise<LocationView> {
  let view: Promise<LocationView> | undefined
  let loadedAt = 0
  const startedBy = performance.now() + LOST_AFTER_MS
  return () => {
    if (view === undefined || performance.now() - loadedAt > FRESH_MS) {
      loadedAt = performance.now()
      const loading = loadLocationView(db, builtInSlugs, { isStarting: loadedAt < startedBy })
      view = loading
      loading.catch(() => {
        if (view === loading) view = undefined
      })
    }
    return view
  }
}
