/** How often each fault strikes, and when: the same moments for the same seed. */

/** Rounds of each fault: few in the normal run, `FAULT_ROUNDS` for a long one. */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 5)
/** Whether there is time for everything. */
export const IS_LONG = ROUNDS > 5
export const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000))

/** From 0 up to 1. Mulberry32, in the public domain. */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
