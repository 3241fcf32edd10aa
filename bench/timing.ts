/** How long calls of the API take, one after another. */
import { API_KEY, type Installation } from './installation.ts'
import { cpuOf, cpuOfTree } from './processes.ts'

/** Connections and caches are warm in a service that people use. */
const WARM_UP_CALLS = 50

export interface Times {
  p50: number
  p99: number
  /** Of server and database, for a call: other work on the machine does not blur it. */
  cpu: number
}

export async function timeCalls(
  { url, server, postmaster }: Installation,
  path: () => string,
  calls: number,
): Promise<Times> {
  const used = () => cpuOf(server) + cpuOfTree(postmaster)
  let usedBefore = used()
  const times: number[] = []
  for (let call = -WARM_UP_CALLS; call < calls; call += 1) {
    if (call === 0) usedBefore = used()
    const startedAt = performance.now()
    const answer = await fetch(url + path(), { headers: { authorization: `Bearer ${API_KEY}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path()}: ${answer.status}`)
    if (call >= 0) times.push(performance.now() - startedAt)
  }
  const cpu = (used() - usedBefore) / calls
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(calls / 2)] ?? 0, p99: times[Math.floor(calls * 0.99)] ?? 0, cpu }
}

export function showTimes({ p50, p99, cpu }: Times): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, CPU ${cpu.toFixed(1)} ms`
}
