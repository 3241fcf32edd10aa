import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aggregate } from '@vedette/core'
import { METRIC_AGGREGATIONS, VERDICTS, type Verdict } from '@vedette/schema'
import { sql } from 'kysely'
import { makePartitions } from '../db/partitions.ts'
import { makeCheck } from '../testing/checks.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { uuid7 } from '../uuid7.ts'
import { type Group, measure } from './measure.ts'
import { rollUpResults, SETTLED_AFTER_MS } from './roll-up.ts'
import { rolledUpTo } from './roll-up-store.ts'
import { postgresResults } from './store.ts'
import type { Tally } from './tally.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The same numbers every time, so that a failure can be looked at. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Two locations that ran every two minutes for two days and a half, with trouble of every sort. */
async function aBusyCheck(server: TestServer, nowMs: number) {
  const { db } = server
  for (const age of [0, 1, 2, 3]) await makePartitions(db, nowMs - age * DAY)
  const { id } = await makeCheck(server)
  const { no } = await db.selectFrom('checks').select('no').where('id', '=', id).executeTakeFirstOrThrow()
  const locations = (await server.locations()).numbersOf(server.accountId, ['us-east-1', 'eu-west-1'], [])
  const random = numbers(7)
  const results = locations.flatMap((locationNo, index) =>
    Array.from({ length: 1800 }, (_, run) => {
      const dueAtMs = nowMs - 60 * HOUR + run * 2 * MINUTE + index * 31_000
      const chance = random()
      const verdict: Verdict = chance < 0.8 ? 'passed' : chance < 0.88 ? 'degraded' : chance < 0.96 ? 'failed' : 'error'
      const answered = verdict !== 'error' && chance > 0.05
      return {
        id: uuid7(dueAtMs),
        checkNo: no,
        locationNo,
        startedAtMs: dueAtMs + random() * 40,
        checkRunId: dueAtMs,
        detailId: null,
        detail: null,
        recordedAfterMs: 100,
        durationMs: 300,
        responseTimeMs: 20 + random() ** 4 * 9000,
        phases: answered ? [random(), random() * 10, random() * 40, random() * 900, random() * 3] : null,
        statusCode: answered ? (verdict === 'failed' ? 503 : 200) : null,
        attempt: 1,
        flags: {
          verdict,
          overMaxResponseTime: false,
          final: random() > 0.06,
          networkError: !answered,
          parallel: false,
        },
      }
    }),
  )
  for (let at = 0; at < results.length; at += 1000) await postgresResults.append(db, results.slice(at, at + 1000))
  return { no, results, locations }
}

async function rollEverythingUp({ db }: TestServer, nowMs: number): Promise<void> {
  while ((await rollUpResults(db, nowMs)) > 0);
}

function tell(tallies: ReadonlyMap<string, Tally>) {
  return [...tallies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, tally]) => ({
      key,
      counts: [...VERDICTS.map((verdict) => tally.countOf(verdict)), tally.retries, tally.availability()],
      figures: Array.from({ length: 6 }, (_, index) => {
        const spread = tally.spread(index)
        return METRIC_AGGREGATIONS.map((aggregation) => (spread === undefined ? null : aggregate(spread, aggregation)))
      }),
    }))
}

test('roll-ups and single results give the same answers, within one percent', async (t) => {
  const server = await startTestServer(t)
  const nowMs = Math.floor(Date.now() / 1000) * 1000 + 17
  const { no, results, locations } = await aBusyCheck(server, nowMs)
  await rollEverythingUp(server, nowMs)
  const rolledUpToMs = (await rolledUpTo(server.db)) ?? 0
  assert.ok(nowMs - rolledUpToMs < SETTLED_AFTER_MS + HOUR)

  const ask = (windows: { fromMs: number; toMs: number }[], readAtMost: number, more: object = {}) =>
    measure(
      server.db,
      { checks: [{ no, kind: 'API' }], windows, wants: () => true, groupOf: () => '', readAtMost, ...more },
      { retentionDays: 30, nowMs },
    )
  const hourOf = ({ atMs }: Group) => String(Math.floor(atMs / HOUR))
  const questions: [string, { fromMs: number; toMs: number }[], object][] = [
    ['everything', [{ fromMs: nowMs - 3 * DAY, toMs: nowMs }], {}],
    ['edges within minutes', [{ fromMs: nowMs - 50 * HOUR - 123_456, toMs: nowMs - 4 * HOUR - 7 }], {}],
    ['the last hour', [{ fromMs: nowMs - HOUR, toMs: nowMs }], {}],
    ['locations', [{ fromMs: nowMs - 2 * DAY, toMs: nowMs }], { groupOf: (g: Group) => String(g.locationNo) }],
    ['statuses', [{ fromMs: nowMs - 2 * DAY, toMs: nowMs }], { groupOf: (g: Group) => String(g.statusCode) }],
    ['failures', [{ fromMs: nowMs - 2 * DAY, toMs: nowMs }], { accepts: (v: Verdict) => v === 'failed' }],
    [
      'hours',
      Array.from({ length: 12 }, (_, index) => {
        const fromMs = Math.floor(nowMs / HOUR) * HOUR - (12 - index) * HOUR
        return { fromMs, toMs: fromMs + HOUR }
      }),
      { groupOf: hourOf },
    ],
  ]
  for (const [what, windows, more] of questions) {
    const exact = tell(await ask(windows, 1e9, more))
    const summed = tell(await ask(windows, 0, more))
    assert.ok(exact.length > 0, what)
    assert.deepEqual(
      summed.map(({ key, counts }) => ({ key, counts })),
      exact.map(({ key, counts }) => ({ key, counts })),
      what,
    )
    for (const [index, { key, figures }] of exact.entries())
      for (const [measured, aggregations] of figures.entries())
        for (const [at, figure] of aggregations.entries()) {
          const other = summed[index]?.figures[measured]?.[at] ?? null
          const name = `${what} ${key}: ${measured}, ${METRIC_AGGREGATIONS[at]}: ${other}, exactly ${figure}`
          if (figure === null) assert.equal(other, null, name)
          else assert.ok(other !== null && Math.abs(other - figure) <= 0.01 * Math.abs(figure) + 1e-6, name)
        }
  }

  const [all] = tell(await ask([{ fromMs: nowMs - 3 * DAY, toMs: nowMs }], 0))
  const finals = results.filter(({ flags }) => flags.final)
  const count = (verdict: Verdict) => finals.filter(({ flags }) => flags.verdict === verdict).length
  const judged = finals.length - count('error')
  assert.deepEqual(all?.counts, [
    ...VERDICTS.map(count),
    results.length - finals.length,
    (100 * (judged - count('failed'))) / judged,
  ])
  const places = await ask([{ fromMs: nowMs - 3 * DAY, toMs: nowMs }], 0, {
    groupOf: (g: Group) => String(g.locationNo),
  })
  assert.deepEqual([...places.keys()].sort(), locations.map(String).sort())
})

test('what fails in the middle is as if it had not begun; done again it equals a recomputation', async (t) => {
  const server = await startTestServer(t)
  const { db } = server
  const nowMs = Date.now()
  await aBusyCheck(server, nowMs)
  const stored = async () => {
    const tables = ['roll_ups_hour', 'roll_ups_day'] as const
    return Promise.all(
      tables.map((table) =>
        db.selectFrom(table).selectAll().orderBy('check_no').orderBy('starts_at').orderBy('location_no').execute(),
      ),
    )
  }
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'The server died.'; end $$`.execute(
    db,
  )
  await sql`create trigger refusing before insert on roll_ups_day for each row execute function refuse()`.execute(db)
  await assert.rejects(rollEverythingUp(server, nowMs), /The server died/)
  const reached = (await rolledUpTo(db)) ?? 0
  assert.equal(new Date(reached).toISOString().slice(11), '23:00:00.000Z')
  const [hours] = await stored()
  assert.ok((hours ?? []).every((row) => row.starts_at.getTime() < reached))

  await sql`drop trigger refusing on roll_ups_day`.execute(db)
  // Two servers at once do not get into each other's way.
  await Promise.all([rollEverythingUp(server, nowMs), rollEverythingUp(server, nowMs)])
  await rollEverythingUp(server, nowMs)
  const first = await stored()
  assert.ok(first.every((rows) => rows.length > 0))

  for (const table of ['roll_ups_hour', 'roll_ups_day', 'roll_up_progress'])
    await sql`delete from ${sql.table(table)}`.execute(db)
  await rollEverythingUp(server, nowMs)
  assert.deepEqual(await stored(), first)
})

test('a result that comes late is in the roll-up of the time when it was due', async (t) => {
  const server = await startTestServer(t)
  const { db } = server
  const { no, results } = await aBusyCheck(server, Date.now())
  const [sample] = results
  assert.ok(sample !== undefined)
  const dueAtMs = Date.now() - 30 * MINUTE
  await rollEverythingUp(server, dueAtMs + 40 * MINUTE)
  await postgresResults.append(db, [{ ...sample, id: uuid7(dueAtMs), startedAtMs: dueAtMs, statusCode: 418 }])
  const laterMs = dueAtMs + SETTLED_AFTER_MS + 2 * HOUR
  await rollEverythingUp(server, laterMs)
  const tallies = await measure(
    db,
    {
      checks: [{ no, kind: 'API' }],
      windows: [{ fromMs: dueAtMs - DAY, toMs: laterMs }],
      wants: () => true,
      groupOf: ({ statusCode }) => String(statusCode),
      readAtMost: 0,
    },
    { retentionDays: 30, nowMs: laterMs },
  )
  assert.ok(tallies.has('418'))
})

test('an installation that was away for weeks goes on where it stopped', async (t) => {
  const server = await startTestServer(t)
  const { db } = server
  await makeCheck(server)
  const nowMs = Date.now()
  await rollEverythingUp(server, nowMs)
  const laterMs = nowMs + 40 * DAY
  await rollEverythingUp(server, laterMs)
  assert.ok(laterMs - ((await rolledUpTo(db)) ?? 0) < SETTLED_AFTER_MS + HOUR)
  // Every month since has its place.
  for (const age of [30, 20, 10, 0])
    await sql`insert into roll_ups_hour (check_no, starts_at, location_no, main, others)
      select no, to_timestamp(${(laterMs - age * DAY) / 1000}), 1, '', '' from checks`.execute(db)
})
