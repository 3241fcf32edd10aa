/** Reads what the program ping prints: that of iputils, in the language C. */
import type { IcmpPings } from '@vedette/schema'

const REPLY = /icmp_seq=(\d+) .*time[=<](\d+(?:\.\d+)?) ms/
const SUMMARY = /^(\d+) packets transmitted/m
/** Far more than a check sends. */
const SENT_LIMIT = 10_000

/** Null where there is no summary that makes sense: it did not come to sending pings, or not to an end. */
export function readPings(output: string): IcmpPings | null {
  const sent = Number(SUMMARY.exec(output)?.[1] ?? 0)
  if (sent === 0 || sent > SENT_LIMIT) return null
  const times: (number | null)[] = Array.from({ length: sent }, () => null)
  for (const line of output.split('\n')) {
    const [, sequence, time] = REPLY.exec(line) ?? []
    const index = Number(sequence) - 1
    // One that comes twice counts once.
    if (time !== undefined && times[index] === null) times[index] = Number(time)
  }
  const answered = times.filter((time) => time !== null)
  return {
    packetsSent: sent,
    packetsReceived: answered.length,
    packetLoss: rounded((100 * (sent - answered.length)) / sent),
    latency: answered.length === 0 ? null : spreadOf(answered),
    times,
  }
}

function spreadOf(times: readonly number[]) {
  const avg = times.reduce((sum, time) => sum + time, 0) / times.length
  const variance = times.reduce((sum, time) => sum + (time - avg) ** 2, 0) / times.length
  return {
    min: Math.min(...times),
    avg: rounded(avg),
    max: Math.max(...times),
    stdDev: rounded(Math.sqrt(variance)),
  }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
