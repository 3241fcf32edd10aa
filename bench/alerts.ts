/** Thousands of checks that fail in the same minute: deciding, writing down who is told, and telling them. */
import { routes } from '../packages/schema/src/index.ts'
import { apiCheck } from './bench-checks.ts'
import { startTarget } from './beside.ts'
import { API_KEY, addChecks, type Installation, removeChecks } from './installation.ts'
import { IS_SMOKE, pause } from './pace.ts'
import { cpuOf, cpuOfTree } from './processes.ts'
import type { Row } from './table.ts'

const CHECKS = IS_SMOKE ? 300 : 10_000
const OVER_SECONDS = IS_SMOKE ? 5 : 60
const CHANNELS = 40
/** What everybody would call at once. */
const BUDGET_MS = 1000
const PATIENCE_MS = 300_000

export async function benchAlerts(installation: Installation): Promise<Row[]> {
  const target = await startTarget('http')
  const receiver = await startTarget('http')
  try {
    const channels = await addChannels(installation, receiver.port)
    const passing = await inAMinute(installation, target.port, '200', [])
    await removeChecks(installation.pool)
    const failing = await inAMinute(installation, target.port, '500', channels)
    const { rows } = await installation.pool.query<{ p99: number; told: number }>(
      `select percentile_cont(0.99) within group (order by extract(epoch from n.created_at - r.started_at) * 1000 - r.duration_ms) as p99,
         count(*)::int as told
       from notifications n join check_results r on r.id = n.result_id`,
    )
    const { p99 = Number.NaN, told = 0 } = rows[0] ?? {}
    const sending = await sendAll(installation)
    return [
      {
        figure: `${CHECKS} checks failing in the same minute: from the end of a run to its alert in the outbox`,
        budget: `p99 ≤ ${BUDGET_MS} ms, none missing`,
        measured: `p99 ${p99.toFixed(0)} ms, ${told} of ${CHECKS} told of; CPU of server and database ${failing.toFixed(0)} µs a run, against ${passing.toFixed(0)} µs where they pass`,
        met: p99 <= BUDGET_MS && told === CHECKS,
      },
      {
        figure: `Notifications a second from the outbox to webhooks on the same machine, ${CHANNELS} channels`,
        budget: '–',
        measured: `${sending.perSecond.toFixed(0)}, CPU of server and database ${sending.cpuUs.toFixed(0)} µs each`,
        met: true,
      },
    ]
  } finally {
    target.stop()
    receiver.stop()
  }
}

async function addChannels({ url }: Installation, port: number): Promise<number[]> {
  const ids: number[] = []
  for (let number = 0; number < CHANNELS; number += 1) {
    const response = await fetch(url + routes.createAlertChannel.path, {
      method: routes.createAlertChannel.method,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        type: 'WEBHOOK',
        config: { name: `bench ${number}`, url: `http://127.0.0.1:${port}/`, method: 'POST' },
      }),
    })
    const { id }: { id: number } = JSON.parse(await response.text())
    ids.push(id)
  }
  return ids
}

/** Each runs once a minute. Answers the microseconds of server and database for a run. */
async function inAMinute(
  installation: Installation,
  port: number,
  status: string,
  channels: readonly number[],
): Promise<number> {
  const { pool } = installation
  const check = apiCheck('http', port)
  const { request } = check
  const assertions = [{ source: 'STATUS_CODE' as const, comparison: 'EQUALS' as const, target: status }]
  const once = { ...check, frequency: 1, frequencyOffset: 1, request: { ...request, assertions } }
  await addChecks(installation, once, CHECKS, { startsIn: 3, over: OVER_SECONDS })
  await pool.query(
    `insert into subscriptions (channel_id, check_no, activated)
     select ($1::int[])[1 + no % cardinality($1::int[])], no, true from checks where cardinality($1::int[]) > 0`,
    [channels],
  )
  const before = usedBy(installation)
  await until('every check has run', async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from check_states where updated_at is not null',
    )
    return rows[0]?.count === CHECKS
  })
  const used = usedBy(installation) - before
  // Once is enough.
  await pool.query(`update schedule set due_at = now() + interval '1 day'`)
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from check_results r join checks c on c.no = r.check_no',
  )
  return (used * 1000) / (rows[0]?.count ?? 1)
}

/** Puts all that was sent back into the outbox, as after an outage, and takes the time until it is empty. */
async function sendAll(installation: Installation): Promise<{ perSecond: number; cpuUs: number }> {
  const { pool } = installation
  const sent = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from notifications where status = 'SUCCESS'`,
    )
    return rows[0]?.count ?? 0
  }
  await until('everything is sent', async () => (await sent()) === CHECKS)
  const before = usedBy(installation)
  const startedAt = performance.now()
  await pool.query(`update notifications set status = 'IN_PROGRESS', tries = 0, due_at = now(), leased_until = null`)
  await pool.query(`notify notifications`)
  await until('everything is sent again', async () => (await sent()) === CHECKS)
  const seconds = (performance.now() - startedAt) / 1000
  return { perSecond: CHECKS / seconds, cpuUs: ((usedBy(installation) - before) * 1000) / CHECKS }
}

const usedBy = ({ server, postmaster }: Installation): number => cpuOf(server) + cpuOfTree(postmaster)

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${PATIENCE_MS / 1000} s: ${what}`)
    await pause(200)
  }
}
