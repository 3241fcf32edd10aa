import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { rollUpResults } from '../results/roll-up.ts'
import { beginProgress } from '../results/roll-up-store.ts'
import { httpResultOf, makeCheck, makeDue, resultsOf } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { timeOfUuid7, uuid7 } from '../uuid7.ts'
import { dropOldPartitions, makePartitions, makeRollUpPartitions } from './partitions.ts'

const DAY_MS = 86_400_000
const DETAIL = {
  assertions: [],
  request: { method: 'GET', url: 'http://shop.test/', data: '', headers: {}, params: {} },
  response: { status: 200, statusText: 'OK', headers: {}, body: 'hello', timings: null, timingPhases: null },
  requestError: null,
  jobLog: null,
  jobAssets: null,
  pcapDataUrl: null,
}

async function partitionsOf({ db }: TestServer): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent where p.relname = any('{check_results,result_details,page_measurements}') order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

const dayName = (atMs: number) => new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '')

test('partitions are made from yesterday to three days ahead, by several servers at once too', async (t) => {
  const server = await startTestServer(t)
  const later = Date.now() + 10 * DAY_MS
  await Promise.all([1, 2, 3].map(() => makePartitions(server.db, later)))
  await makePartitions(server.db, later)
  const made = await partitionsOf(server)
  for (let day = -1; day <= 3; day += 1)
    for (const table of ['check_results', 'result_details', 'page_measurements'])
      assert.ok(made.includes(`${table}_${dayName(later + day * DAY_MS)}`), `${table} ${day}`)
})

test('results go when they are older than the retention, details two days later, and the list is still right', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const nowMs = Date.now()
  await beginProgress(server.db, nowMs)
  for (const age of [40, 32, 31, 29]) await makePartitions(server.db, nowMs - age * DAY_MS)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'passed', { detail: { kind: 'API', content: DETAIL } })
  const [row] = await server.db.selectFrom('check_results').selectAll().execute()
  const [detail] = await server.db.selectFrom('result_details').selectAll().execute()
  assert.ok(row !== undefined && detail !== undefined)
  for (const age of [40, 31.5, 29]) {
    const id = uuid7(nowMs - age * DAY_MS)
    const startedAt = new Date(nowMs - age * DAY_MS)
    await server.db
      .insertInto('check_results')
      .values({ ...row, id, started_at: startedAt, detail_id: id })
      .execute()
    await server.db
      .insertInto('result_details')
      .values({ ...detail, id })
      .execute()
  }
  await server.db
    .insertInto('missed_runs')
    .values({
      check_no: row.check_no,
      location_no: row.location_no,
      slot_at: new Date(nowMs - 40 * DAY_MS),
      slots: 1,
      reason: 'old',
      recorded_at: new Date(nowMs - 40 * DAY_MS),
    })
    .execute()

  const dropped = await dropOldPartitions(server.db, nowMs, 30)
  assert.ok(dropped.every((name) => name.slice(-8) < dayName(nowMs - 30 * DAY_MS)))
  const left = await partitionsOf(server)
  assert.ok(left.includes(`check_results_${dayName(nowMs - 30 * DAY_MS)}`))
  assert.ok(left.includes(`result_details_${dayName(nowMs - 32 * DAY_MS)}`))
  assert.ok(left.includes(`page_measurements_${dayName(nowMs - 30 * DAY_MS)}`))
  assert.ok(!left.includes(`check_results_${dayName(nowMs - 31 * DAY_MS)}`))
  assert.ok(!left.includes(`page_measurements_${dayName(nowMs - 31 * DAY_MS)}`))
  assert.ok(!left.includes(`result_details_${dayName(nowMs - 33 * DAY_MS)}`))

  const results = await resultsOf(server, check)
  assert.deepEqual(
    results.map(({ id }) => Math.round(Math.abs(nowMs - timeOfUuid7(id)) / DAY_MS)),
    [0, 29],
  )
  assert.ok(results.every((result) => httpResultOf(result)?.response.body === 'hello'))
  const { missed } = await server.call(routes.checkTimeline, { params: { id: check.id }, query: { hours: 720 } })
  assert.deepEqual(missed, [])
  assert.deepEqual(await dropOldPartitions(server.db, nowMs, 30), [])
})

test('a day of results stays until it has been rolled up, however old it is', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const nowMs = Date.now()
  const oldMs = Math.floor(nowMs / DAY_MS) * DAY_MS - 3.5 * DAY_MS
  await makePartitions(server.db, oldMs)
  await makePartitions(server.db, oldMs + 2 * DAY_MS)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  await server.db
    .updateTable('check_results')
    .set({ id: uuid7(oldMs), started_at: new Date(oldMs), detail_id: null })
    .execute()
  const drop = async () => (await dropOldPartitions(server.db, nowMs, 1)).includes(`check_results_${dayName(oldMs)}`)
  assert.equal(await drop(), false, 'rolling up has not begun')
  await beginProgress(server.db, oldMs - DAY_MS)
  assert.equal(await drop(), false, 'rolling up has got to the day before')
  assert.equal((await resultsOf(server, check)).length, 1)
  while ((await rollUpResults(server.db, nowMs)) > 0);
  assert.equal(await drop(), true)
  assert.deepEqual(await resultsOf(server, check), [])
  const days = await server.db.selectFrom('roll_ups_day').select('starts_at').execute()
  assert.deepEqual(
    days.map(({ starts_at }) => dayName(starts_at.getTime())),
    [dayName(oldMs)],
  )
})

test('roll-ups are kept for months, and go by the month', async (t) => {
  const { db } = await startTestServer(t)
  const nowMs = Date.UTC(2026, 4, 20)
  const months = async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      join pg_class p on p.oid = i.inhparent where p.relname = 'roll_ups_day' order by 1`.execute(db)
    return rows.map(({ name }) => name)
  }
  await makeRollUpPartitions(db, Date.UTC(2026, 0, 31), nowMs)
  const made = ['202601', '202602', '202603', '202604', '202605'].map((month) => `roll_ups_day_${month}`)
  assert.deepEqual((await months()).slice(0, 5), made)
  const dropped = await dropOldPartitions(db, nowMs, 30, 2)
  assert.deepEqual(dropped.filter((name) => name.startsWith('roll_ups')).sort(), [
    'roll_ups_day_202601',
    'roll_ups_day_202602',
    'roll_ups_hour_202601',
    'roll_ups_hour_202602',
  ])
  assert.deepEqual((await months()).slice(0, 3), made.slice(2))
  const onFirstOfMay = Date.UTC(2026, 4, 1)
  await dropOldPartitions(db, onFirstOfMay, 32, 1)
  assert.deepEqual((await months()).slice(0, 3), made.slice(2), 'no earlier than the results')
})
