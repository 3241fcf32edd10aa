/** How long calls of the API take, one after another, until the last byte has come. */
import { Agent, get } from 'node:http'
import { API_KEY, type Installation } from './installation.ts'
import { cpuOf, cpuOfTree } from './processes.ts'

/** Connections, caches and code are warm in a service that people use. */
const WARM_UP_CALLS = 300

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
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const used = () => cpuOf(server) + cpuOfTree(postmaster)
  let usedBefore = used()
  const times: number[] = []
  for (let call = -WARM_UP_CALLS; call < calls; call += 1) {
    if (call === 0) usedBefore = used()
    const startedAt = performance.now()
    await read(agent, url + path())
    if (call >= 0) times.push(performance.now() - startedAt)
  }
  const cpu = (used() - usedBefore) / calls
  agent.destroy()
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(calls / 2)] ?? 0, p99: times[Math.floor(calls * 0.99)] ?? 0, cpu }
}

/** Takes the answer as it comes: unpacking it is no work of the server. */
function read(agent: Agent, url: string): Promise<void> {
  const headers = { authorization: `Bearer ${API_KEY}`, 'accept-encoding': 'gzip' }
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
      answer.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}

export function showTimes({ p50, p99, cpu }: Times): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, CPU ${cpu.toFixed(1)} ms`
}
