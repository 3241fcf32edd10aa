/** What a simple read costs the server, as a ratio to a bare route that serialises the same JSON. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { apiCheck } from './bench-checks.ts'
import { API_KEY, addChecks, type Installation } from './installation.ts'
import { cpuOf } from './processes.ts'
import type { Row } from './table.ts'

const CALLS = 20_000
/** As many as it takes until all that a fresh process keeps of its start has been collected: a second or two. */
const WARM_UP_CALLS = 40_000
/** Bare and ours take turns, so that both meet the same weather. */
const ROUNDS = 5
const CONNECTIONS = 8
const BUDGET_RATIO = 2

export async function benchReads(installation: Installation): Promise<Row[]> {
  const { pool, url, server } = installation
  await addChecks(installation, apiCheck('http', 9), 100)
  // No runs beside the reads.
  await pool.query('update checks set activated = false, effective_activated = false')
  await pool.query('delete from schedule')
  const { rows } = await pool.query<{ id: string }>('select id from checks order by no limit 1')
  const read = `${url}/v1/checks/${rows[0]?.id}`
  const answer = await fetch(read, { headers: { authorization: `Bearer ${API_KEY}` } })
  if (answer.status !== 200) throw new Error(`A check was answered with ${answer.status}.`)
  const bare = fork(fileURLToPath(new URL('bare-fastify.ts', import.meta.url)), {
    env: { PATH: process.env.PATH ?? '', ANSWER: await answer.text() },
  })
  try {
    const bareUrl = `${await firstMessage(bare)}/read`
    const barePid = bare.pid ?? 0
    await callMany(bareUrl, WARM_UP_CALLS)
    await callMany(read, WARM_UP_CALLS)
    const cpu = { bare: 0, ours: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      cpu.bare += await cpuFor(barePid, () => callMany(bareUrl, CALLS / ROUNDS))
      cpu.ours += await cpuFor(server, () => callMany(read, CALLS / ROUNDS))
    }
    const ratio = cpu.ours / cpu.bare
    return [
      {
        figure: 'CPU of the server for a check by id, against a bare Fastify route with the same JSON',
        budget: `≤ ${BUDGET_RATIO} ×`,
        measured: `${ratio.toFixed(2)} × (${micros(cpu.ours)} against ${micros(cpu.bare)} µs)`,
        met: ratio <= BUDGET_RATIO,
      },
    ]
  } finally {
    bare.disconnect()
  }
}

const micros = (ms: number) => Math.round((ms * 1000) / CALLS)

async function firstMessage(child: ChildProcess): Promise<string> {
  const [message] = await once(child, 'message')
  return String(message)
}

async function cpuFor(pid: number, work: () => Promise<void>): Promise<number> {
  const before = cpuOf(pid)
  await work()
  return cpuOf(pid) - before
}

async function callMany(url: string, calls: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let left = calls
  const goOn = async () => {
    while (left > 0) {
      left -= 1
      await callOnce(url, agent)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, goOn))
  agent.destroy()
}

function callOnce(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { authorization: `Bearer ${API_KEY}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`A read was answered with ${response.statusCode}.`))
      response.resume()
      response.once('end', () => resolve())
    })
    call.once('error', reject)
    call.end()
  })
}
