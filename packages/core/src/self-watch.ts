/**
 * Whether the monitor itself does what it is there for: rules over what a look at it has found. A single look may see a
 * busy moment; what two looks in a row have found is told, and is over when two in a row find it no more.
 */

import type { OwnTroubleKind } from '@vedette/schema'

/** What grows without end when whoever works it off has stopped, or does not keep up. */
export const OWN_QUEUES = ['overdue runs', 'waiting notifications', 'mails to subscribers', 'hours to roll up'] as const
export type OwnQueue = (typeof OWN_QUEUES)[number]

export interface OwnTrouble {
  kind: OwnTroubleKind
  /** What tells it apart from others of its kind; empty where there is one only. */
  subject: string
  words: string
}

/** What one look has found. Times in milliseconds, ages included. */
export interface SelfLook {
  atMs: number
  /** Active checks that have not been judged for two intervals and their patience. Some of them are named. */
  idle: { count: number; longest: readonly { name: string; forMs: number }[] }
  /** Active checks that no runner which is there can execute. Some of them are named, with what is missing. */
  unable: { count: number; some: readonly { name: string; reason: string }[] }
  /** Messages that nobody has tried to send, though nothing stands in their way. */
  untried: { count: number; oldestMs: number | null }
  /** Channels that have refused messages which still wait. */
  failingChannels: readonly { id: number; type: string; waiting: number; oldestMs: number }[]
  queues: { [Q in OwnQueue]: number }
  /** How far the clocks of servers and runners are from the database’s; positive: ahead. */
  clocks: readonly { whose: string; aheadMs: number }[]
  /** Of the last minutes. */
  runs: { done: number; missed: number }
}

interface Followed extends OwnTrouble {
  sinceMs: number
  /** Looks in a row that have found it. */
  seen: number
  /** Looks in a row that have not. */
  unseen: number
}

/** What is carried from look to look. */
export interface SelfWatch {
  /** The first look of those that follow each other. */
  sinceMs: number
  atMs: number
  followed: readonly Followed[]
  /** Lengths at the latest looks, oldest first. */
  queues: { [Q in OwnQueue]: readonly number[] }
}

/** Longer than a minute nobody should wait to be told. */
const LONGEST_WAIT_MS = 60_000
const CLOCK_TOLERANCE_MS = 2000
/** From this length on a queue is told of that was shorter at none of the looks that are kept than at the one before. */
const NOTEWORTHY: { [Q in OwnQueue]: number } = {
  'overdue runs': 200,
  'waiting notifications': 200,
  'mails to subscribers': 200,
  'hours to roll up': 4,
}
const LOOKS_KEPT = 10
/** Of the last minutes’ runs so many must have been done, from so many on. */
const LEAST_COVERAGE = 0.95
const ENOUGH_RUNS = 20
const LOOKS_TO_BELIEVE = 2
/** Who has not looked for so long has not watched: what was seen before says nothing of now. */
const FORGET_AFTER_MS = 120_000

const nothingWatched = (atMs: number): SelfWatch => ({
  sinceMs: atMs,
  atMs,
  followed: [],
  queues: { 'overdue runs': [], 'waiting notifications': [], 'mails to subscribers': [], 'hours to roll up': [] },
})

/** What is known at an instant: nothing, when nobody has looked for a while. @param before null: nobody ever has */
export function knownAt(before: SelfWatch | null, atMs: number): SelfWatch {
  return before === null || atMs - before.atMs > FORGET_AFTER_MS ? nothingWatched(atMs) : before
}

/** What the looks so far and a further one come to. @param before null: nobody has ever looked */
export function watchSelf(before: SelfWatch | null, look: SelfLook): SelfWatch {
  const known = knownAt(before, look.atMs)
  const lengths = (queue: OwnQueue) => [...known.queues[queue], look.queues[queue]].slice(-LOOKS_KEPT)
  const queues = {
    'overdue runs': lengths('overdue runs'),
    'waiting notifications': lengths('waiting notifications'),
    'mails to subscribers': lengths('mails to subscribers'),
    'hours to roll up': lengths('hours to roll up'),
  }
  const found = troublesOf(look, queues)
  const followed = found.map((trouble): Followed => {
    const earlier = known.followed.find((other) => isSame(other, trouble))
    if (earlier === undefined) return { ...trouble, sinceMs: look.atMs, seen: 1, unseen: 0 }
    // Once believed, it stays so until it is over.
    return { ...trouble, sinceMs: earlier.sinceMs, seen: earlier.seen + 1, unseen: 0 }
  })
  const fading = known.followed.filter(
    (earlier) => !found.some((trouble) => isSame(earlier, trouble)) && isBelieved(earlier),
  )
  return {
    sinceMs: known.sinceMs,
    atMs: look.atMs,
    followed: [
      ...followed,
      ...fading
        .map((earlier) => ({ ...earlier, unseen: earlier.unseen + 1 }))
        .filter(({ unseen }) => unseen < LOOKS_TO_BELIEVE),
    ],
    queues,
  }
}

/** What is told: the troubles that are believed, in the order of their weight. */
export function ownTroubles({ followed }: SelfWatch): (OwnTrouble & { sinceMs: number })[] {
  return followed
    .filter(isBelieved)
    .map(({ kind, subject, words, sinceMs }) => ({ kind, subject, words, sinceMs }))
    .toSorted((a, b) => WEIGHT.indexOf(a.kind) - WEIGHT.indexOf(b.kind) || a.sinceMs - b.sinceMs)
}

const WEIGHT: readonly OwnTroubleKind[] = [
  'idle-checks',
  'stuck-notifications',
  'missed-runs',
  'growing-queue',
  'failing-channel',
  'wrong-clock',
  'unable-checks',
]

/** Whether the monitor does its part: what somebody has asked of it and no runner can do is told, but no fault of its own. */
export function isWell(troubles: readonly Pick<OwnTrouble, 'kind'>[]): boolean {
  return troubles.every(({ kind }) => kind === 'unable-checks')
}

const isSame = (a: OwnTrouble, b: OwnTrouble) => a.kind === b.kind && a.subject === b.subject
const isBelieved = ({ seen }: Followed) => seen >= LOOKS_TO_BELIEVE

function troublesOf(look: SelfLook, queues: SelfWatch['queues']): OwnTrouble[] {
  return [
    ...idleChecks(look),
    ...stuckNotifications(look),
    ...missedRuns(look),
    ...queuesNotWorkedOff(queues),
    ...failingChannels(look),
    ...wrongClocks(look),
    ...unableChecks(look),
  ]
}

function idleChecks({ idle }: SelfLook): OwnTrouble[] {
  if (idle.count === 0) return []
  const named = idle.longest.map(({ name, forMs }) => `“${name}” for ${minutes(forMs)}`).join(', ')
  const more = idle.count - idle.longest.length
  const words = `${idle.count === 1 ? 'An active check does' : `${idle.count} active checks do`} not run: ${named}${more > 0 ? ` and ${more} more` : ''}.`
  return [{ kind: 'idle-checks', subject: '', words }]
}

function unableChecks({ unable }: SelfLook): OwnTrouble[] {
  if (unable.count === 0) return []
  const named = unable.some.map(({ name, reason }) => `“${name}”: ${reason}`).join(' ')
  const more = unable.count - unable.some.length
  const words = `${unable.count === 1 ? 'An active check cannot' : `${unable.count} active checks cannot`} be run. ${named}${more > 0 ? ` And ${more} more.` : ''}`
  return [{ kind: 'unable-checks', subject: '', words }]
}

function stuckNotifications({ untried }: SelfLook): OwnTrouble[] {
  if (untried.oldestMs === null || untried.oldestMs <= LONGEST_WAIT_MS) return []
  const words = `${untried.count === 1 ? 'A notification waits' : `${untried.count} notifications wait`} to be sent, the oldest for ${minutes(untried.oldestMs)}.`
  return [{ kind: 'stuck-notifications', subject: '', words }]
}

function queuesNotWorkedOff(queues: SelfWatch['queues']): OwnTrouble[] {
  return OWN_QUEUES.filter((queue) => isNotWorkedOff(queue, queues[queue])).map((queue) => ({
    kind: 'growing-queue',
    subject: queue,
    words: `The queue of ${queue} is not worked off: ${queues[queue].at(-1)} by now.`,
  }))
}

function failingChannels({ failingChannels }: SelfLook): OwnTrouble[] {
  return failingChannels
    .filter(({ oldestMs }) => oldestMs > LONGEST_WAIT_MS)
    .map(({ id, type, waiting, oldestMs }) => ({
      kind: 'failing-channel',
      subject: String(id),
      words: `Alert channel ${id} (${type}) does not take what it is sent: ${waiting} waiting, the oldest for ${minutes(oldestMs)}.`,
    }))
}

function missedRuns({ runs: { done, missed } }: SelfLook): OwnTrouble[] {
  const due = done + missed
  if (due < ENOUGH_RUNS || done >= due * LEAST_COVERAGE) return []
  return [{ kind: 'missed-runs', subject: '', words: `Of ${due} runs that fell due lately ${missed} were missed.` }]
}

/** Shorter at any look than at the one before, it is being worked off. */
export function isNotWorkedOff(queue: OwnQueue, lengths: readonly number[]): boolean {
  if (lengths.length < LOOKS_KEPT || (lengths.at(-1) ?? 0) < NOTEWORTHY[queue]) return false
  return lengths.every((length, index) => index === 0 || length >= (lengths[index - 1] ?? 0))
}

function wrongClocks({ clocks }: SelfLook): OwnTrouble[] {
  return clocks
    .filter(({ aheadMs }) => Math.abs(aheadMs) > CLOCK_TOLERANCE_MS)
    .map(({ whose, aheadMs }) => ({
      kind: 'wrong-clock',
      subject: whose,
      words: `The clock of ${whose} is ${Math.abs(aheadMs / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead' : 'behind'}.`,
    }))
}

function minutes(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`
  return `${Math.round(ms / 3_600_000)} h`
}

/** How long a check may go without being judged before it is called idle: two intervals, and time to try again. */
export function patienceWith({ intervalMs, retriesMs }: { intervalMs: number; retriesMs: number }): number {
  return 2 * intervalMs + retriesMs + LONGEST_WAIT_MS
}
