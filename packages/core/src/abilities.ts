/** Which runners can execute what. A need and an ability are compared as words, which a database can do as well. */
import {
  type Abilities,
  type CheckKind,
  type Isolation,
  KINDS_WITH_RUNTIME,
  type LocationScripts,
  RUNTIME_FACTS,
  type RuntimeId,
} from '@vedette/schema'

/** What a run asks of its runner. */
export interface Need {
  kind: CheckKind
  /** Null for kinds that need none. */
  runtimeId: RuntimeId | null
}

/** What is known of a runner. */
export type AbleRunner = Required<Abilities> & { isolation: Isolation | null }

/** @param runtimeId the one in force */
export function needOf(kind: CheckKind, runtimeId: RuntimeId): Need {
  return { kind, runtimeId: KINDS_WITH_RUNTIME.includes(kind) ? runtimeId : null }
}

export function needWord({ kind, runtimeId }: Need): string {
  return runtimeId === null ? kind : `${kind}/${runtimeId}`
}

const knows = (id: RuntimeId, kind: CheckKind) => kind !== 'MULTI_STEP' || RUNTIME_FACTS[id].multiStepSupport

/** All needs that a runner can meet. */
export function abilityWords({ kinds, runtimes = [] }: Pick<Abilities, 'kinds' | 'runtimes'>): string[] {
  return kinds.flatMap((kind) =>
    KINDS_WITH_RUNTIME.includes(kind)
      ? runtimes.filter(({ id }) => knows(id, kind)).map(({ id }) => needWord({ kind, runtimeId: id }))
      : [kind],
  )
}

export function canExecute(runner: Pick<Abilities, 'kinds' | 'runtimes'>, need: Need): boolean {
  return abilityWords(runner).includes(needWord(need))
}

export const UNABLE = 'No runner can execute this:'

/** What those who are there lack for a need, as a sentence; null where one of them can, or nobody is there. */
export function whyUnable(runners: readonly AbleRunner[], need: Need): string | null {
  if (runners.length === 0 || runners.some((runner) => canExecute(runner, need))) return null
  return `${UNABLE} ${missing(runners, need)}.`
}

/** Whether one of them has only just come, and does not know yet how it can keep scripts apart: a second or two later it will. */
export function areFindingOut(runners: readonly Pick<AbleRunner, 'isolation'>[], { runtimeId }: Need): boolean {
  return runtimeId !== null && runners.some(({ isolation }) => isolation === null)
}

/** Of runners that lack different things, those that lack least are spoken of. */
function missing(runners: readonly AbleRunner[], { kind, runtimeId }: Need): string {
  if (runtimeId === null) return `checks of the kind ${kind} are not known there`
  if (!knows(runtimeId, kind)) return `the runtime ${runtimeId} has no multi-step checks`
  const isolated = runners.filter(({ isolation }) => isolation !== null && isolation.level !== 'none')
  if (isolated.length === 0) {
    return runners.some(({ isolation }) => isolation === null)
      ? 'it has not been found out yet how scripts can be kept apart there'
      : 'scripts cannot be kept apart from the machine there (install bubblewrap, or set SCRIPT_ISOLATION=reduced)'
  }
  const equipped = isolated.filter(({ runtimes }) => runtimes.some(({ id }) => id === runtimeId))
  if (equipped.length === 0) return `the runtime ${runtimeId} is not installed there`
  if (equipped.every(({ browser }) => browser === null)) return 'there is no browser there (install Chromium)'
  return `checks of the kind ${kind} are not known there`
}

/** What several runners of a place have together: each run goes to one that can execute it. Null: nobody has said. */
export function scriptsAt(runners: readonly Pick<AbleRunner, keyof LocationScripts>[]): LocationScripts | null {
  const scripted = runners.filter(({ runtimes }) => runtimes.length > 0)
  if (scripted.length === 0) return null
  const withBrowser = scripted.filter(({ browser }) => browser !== null)
  const byId = new Map(
    scripted
      .flatMap(({ runtimes }) => runtimes)
      // The last one counts: scripts are forked where all runners do it.
      .sort((a, b) => Number(b.engine === 'forked') - Number(a.engine === 'forked'))
      .map(({ id, playwright, node, engine }) => [id, { id, playwright, node, engine }] as const),
  )
  return {
    runtimes: [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)),
    browser: withBrowser[0]?.browser ?? null,
    recordsVideo: withBrowser.length > 0 && withBrowser.every(({ recordsVideo }) => recordsVideo),
  }
}
