/**
 * Whose turn it is among messages that wait. Of each check and channel only what was decided first is tried; the rest waits
 * until that has ended. Channels that people read have a limit of messages a minute, and what they have too much of goes into
 * a digest. What a digest tells of is never tried before it.
 */

/** A message that was neither delivered nor given up. */
export interface Waiting {
  id: string
  channelId: number
  /** Whether the channel has a limit: false for those that keep track of troubles themselves. */
  isPaced: boolean
  /** Null for a digest, which is about no single check. */
  checkNo: number | null
  /** Until it may be tried; negative when it already may. */
  dueInMs: number
  /** Somebody is trying it. */
  isInHand: boolean
  /** It was tried before, or is being tried. */
  wasHanded: boolean
  ageMs: number
  /** Of a digest: the checks of which it tells. */
  carries: readonly number[] | null
  /** In the place of a message that another channel did not take. */
  isFallback: boolean
}

export interface TurnLimits {
  /** Messages that a channel gets within the minute; 0: as many as there are. */
  perMinute: number
  /** From then on a digest that still waits gives way to later news. */
  supersedeAfterMs: number
}

export interface PlaceLimits {
  limit: number
  perChannel: number
  /** Channels that may take another number than the others. */
  room: ReadonlyMap<number, number>
}

export interface DigestLimits {
  /** How long the first message waits for others that belong into the same digest. */
  gatherMs: number
}

interface Head extends Waiting {
  /** The message’s place among all. */
  order: number
  /** Digests that tell of its check and were made before it. */
  behind: readonly Waiting[]
}

/** The first of each line: of a check in a channel, of a channel’s own digests, and each digest that is in another’s place. */
function headsOf(waiting: readonly Waiting[]): Head[] {
  const heads: Head[] = []
  const lines = new Set<string>()
  const digests = new Map<string, Waiting[]>()
  for (const [order, message] of waiting.entries()) {
    const { channelId, checkNo, carries, isFallback, id } = message
    const line = `${channelId} ${checkNo ?? (isFallback ? id : 'digests')}`
    const isFirst = !lines.has(line)
    lines.add(line)
    if (isFirst) heads.push({ ...message, order, behind: digests.get(line) ?? [] })
    for (const carried of carries ?? []) {
      const before = digests.get(`${channelId} ${carried}`)
      if (before === undefined) digests.set(`${channelId} ${carried}`, [message])
      else before.push(message)
    }
  }
  return heads
}

/** A digest that another channel could not be given waits for long: it holds up nothing for longer than others would. */
const holdsUp = ({ isFallback, ageMs }: Waiting, { supersedeAfterMs }: TurnLimits) =>
  !isFallback || ageMs <= supersedeAfterMs

const byDue = (a: Head, b: Head) => a.dueInMs - b.dueInMs || a.order - b.order

/**
 * The messages to try now, the longest waiting first.
 *
 * @param waiting in the order in which they were decided
 * @param used how many messages each channel has got within the minute, or is still being tried with
 */
export function nextToTry(
  waiting: readonly Waiting[],
  used: ReadonlyMap<number, number>,
  limits: TurnLimits & PlaceLimits,
): string[] {
  const ready = headsOf(waiting)
    .filter(({ dueInMs, isInHand, behind }) => dueInMs <= 0 && !isInHand && !behind.some((one) => holdsUp(one, limits)))
    .sort(byDue)
  const fresh = new Map<number, number>()
  const places = new Map<number, number>()
  const chosen: string[] = []
  for (const head of ready) {
    if (chosen.length >= limits.limit) break
    const { channelId, wasHanded } = head
    if (!wasHanded && isLimited(head, limits)) {
      const turn = (fresh.get(channelId) ?? 0) + 1
      if (turn > limits.perMinute - (used.get(channelId) ?? 0)) continue
      fresh.set(channelId, turn)
    }
    const place = (places.get(channelId) ?? 0) + 1
    if (place > (limits.room.get(channelId) ?? limits.perChannel)) continue
    places.set(channelId, place)
    chosen.push(head.id)
  }
  return chosen
}

const isLimited = ({ isPaced, carries }: Waiting, { perMinute }: TurnLimits) =>
  perMinute > 0 && isPaced && carries === null

/**
 * The messages that digests are to stand for, of channels for which one is due.
 *
 * @param lastDigestMs how long ago the latest digest of each channel was made
 */
export function beyondLimits(
  waiting: readonly Waiting[],
  used: ReadonlyMap<number, number>,
  lastDigestMs: ReadonlyMap<number, number>,
  limits: TurnLimits & DigestLimits & { minuteMs: number },
): string[] {
  const isWaiting = (digest: Waiting) => !digest.isInHand && !digest.isFallback
  const turns = new Map<number, { tried: number; all: number }>()
  const beyond = new Map<number, { lines: Set<number | null>; isDue: boolean }>()
  const fresh = headsOf(waiting)
    .filter((head) => isLimited(head, limits) && !head.wasHanded && head.dueInMs <= 0)
    .filter(({ behind }) => !behind.some(({ isInHand }) => isInHand))
    .sort(byDue)
  for (const { channelId, checkNo, behind, dueInMs } of fresh) {
    const isHeldUp = behind.some((one) => holdsUp(one, limits))
    const turn = { tried: 0, all: 0, ...turns.get(channelId) }
    turn.all += 1
    // What a digest holds up is not tried, so it takes no turn from what is.
    if (!isHeldUp) turn.tried += 1
    turns.set(channelId, turn)
    const isOver = (isHeldUp ? turn.all : turn.tried) > limits.perMinute - (used.get(channelId) ?? 0)
    const before = behind.filter(isWaiting)
    if (!isOver && before.length === 0) continue
    const known = beyond.get(channelId) ?? { lines: new Set(), isDue: false }
    beyond.set(channelId, known)
    known.lines.add(checkNo)
    const isBehindOld = before.some(({ ageMs }) => ageMs > limits.supersedeAfterMs)
    const isTime = (lastDigestMs.get(channelId) ?? Number.POSITIVE_INFINITY) >= limits.minuteMs
    if (isBehindOld || (isOver && isTime && -dueInMs >= limits.gatherMs)) known.isDue = true
  }
  return waiting
    .filter(({ channelId, checkNo, wasHanded }) => {
      const found = beyond.get(channelId)
      return found?.isDue === true && checkNo !== null && !wasHanded && found.lines.has(checkNo)
    })
    .map(({ id }) => id)
}
