/**
 * How many tries may be under way, in all and for each channel. A channel whose last try failed gets one at a time, and
 * all such channels together half of the places: however many are dead, a healthy one finds room.
 */
const ALL = 512
const FOR_STRUGGLING = ALL / 2
const PER_CHANNEL = 4

export interface Wish {
  limit: number
  perChannel: number
  /** Channels that may take another number than the others. */
  room: ReadonlyMap<number, number>
}

export class Places {
  readonly #taken = new Map<number, number>()
  /** The one that has waited longest comes first. */
  readonly #struggling = new Set<number>()
  #all = 0

  take(channel: number): void {
    this.#taken.set(channel, this.#of(channel) + 1)
    this.#all += 1
  }

  giveBack(channel: number, delivered: boolean): void {
    const left = this.#of(channel) - 1
    if (left > 0) this.#taken.set(channel, left)
    else this.#taken.delete(channel)
    this.#all -= 1
    this.#struggling.delete(channel)
    if (!delivered) this.#struggling.add(channel)
  }

  wish(): Wish {
    const room = new Map<number, number>()
    for (const [channel, taken] of this.#taken) room.set(channel, Math.max(0, PER_CHANNEL - taken))
    let free = FOR_STRUGGLING
    for (const channel of this.#struggling) free -= Math.min(this.#of(channel), free)
    for (const channel of this.#struggling) {
      const mayTake = this.#of(channel) === 0 && free > 0
      room.set(channel, mayTake ? 1 : 0)
      if (mayTake) free -= 1
    }
    return { limit: ALL - this.#all, perChannel: PER_CHANNEL, room }
  }

  #of(channel: number): number {
    return this.#taken.get(channel) ?? 0
  }
}
