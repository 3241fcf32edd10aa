import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheck, routes } from '@vedette/schema'
import { dropOldPartitions } from '../../db/partitions.ts'
import { recordErrors } from '../../recording/store.ts'
import { beginProgress } from '../../results/roll-up-store.ts'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { aReport, signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const DAY_MS = 86_400_000
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)

const countsOf = (server: TestServer, check: ApiCheck, query = {}) =>
  server.call(routes.countErrorGroups, { params: { checkId: check.id }, query })

test('every failed attempt counts for its day, in the transaction of its result', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const retryStrategy = { type: 'FIXED' as const, baseBackoffSeconds: 0, maxRetries: 2 }
  const check = await makeCheck(server, { retryStrategy })
  await makeDue(server, check)
  for (const error of ['expected 500 to equal 200', 'expected 502 to equal 200', 'connect ECONNREFUSED'])
    await runner.report(await runner.leaseOne(), 'failed', { error })
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'passed')
  const groups = await server.call(routes.listErrorGroups, { params: { checkId: check.id } })
  const counts = await countsOf(server, check)
  const told = counts.map(({ errorGroupId, count, days }) => {
    const group = groups.find(({ id }) => id === errorGroupId)
    return [group?.cleanedErrorMessage.startsWith('connect'), count, days.reduce((sum, day) => sum + day.count, 0)]
  })
  assert.deepEqual(told, [
    [true, 1, 1],
    [false, 2, 2],
  ])
  assert.equal(counts[0]?.days[0]?.day, dayOf(Date.parse(groups[0]?.lastSeen ?? '')))
})

test('a storm of one error writes one row a day, and its count is whole', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const checks = await Promise.all(
    [1, 2].map(() => makeCheck(server, { locations: ['us-east-1', 'eu-west-1'], runParallel: true })),
  )
  const [check, other] = checks
  assert.ok(check && other)
  for (let run = 0; run < 3; run += 1) {
    for (const one of checks) await makeDue(server, one)
    const leased = await runner.lease()
    assert.equal(leased.length, 4)
    await runner.reportAll(leased.map((run) => aReport(run, 'failed')))
  }
  for (const one of checks)
    assert.deepEqual(
      (await countsOf(server, one)).map(({ count }) => count),
      [6],
    )
  const rows = await server.db.selectFrom('error_group_days').selectAll().execute()
  assert.deepEqual(new Set(rows.map(({ group_id }) => group_id)).size, 2)
})

test('counts are told of the days that were asked for, as long as results are kept', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const { no } = await server.db.selectFrom('checks').select('no').where('id', '=', check.id).executeTakeFirstOrThrow()
  const today = Date.parse(dayOf(Date.now()))
  const seen = (daysAgo: number, cleaned: string) => ({
    checkNo: no,
    hash: cleaned,
    raw: cleaned,
    cleaned,
    atMs: today - daysAgo * DAY_MS,
  })
  await server.db
    .transaction()
    .execute((tx) => recordErrors(tx, [seen(40, 'a'), seen(13, 'a'), seen(13, 'a'), seen(14, 'a'), seen(0, 'b')]))
  const days = async (query = {}) =>
    (await countsOf(server, check, query)).map(({ count, days }) => [count, days.map(({ day }) => day)])
  const day = (daysAgo: number) => dayOf(today - daysAgo * DAY_MS)
  assert.deepEqual(await days(), [
    [1, [day(0)]],
    [2, [day(13)]],
  ])
  const from = String(today / 1000 - 60 * 86_400)
  const to = String(today / 1000)
  assert.deepEqual(await days({ from, to }), [[4, [day(40), day(14), day(13)]]])
  await beginProgress(server.db, Date.now())
  await dropOldPartitions(server.db, Date.now(), 30)
  assert.deepEqual(await days({ from, to }), [[3, [day(14), day(13)]]])
  await server.call(routes.deleteCheck, { params: { id: check.id } })
  assert.deepEqual(await server.db.selectFrom('error_group_days').selectAll().execute(), [])
})

test('what was archived for ever is not counted out, and strangers learn nothing', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  const [group] = await countsOf(server, check)
  assert.ok(group)
  const key = await server.keyFor('OWNER', await server.addAccount())
  const path = `/v1/error-groups/checks/${check.id}/counts`
  assert.equal((await server.send('GET', path, { key })).status, 404)
  assert.equal((await server.send('GET', `${path}?from=1&to=1700000000`)).status, 400)
  const params = { id: group.errorGroupId }
  await server.call(routes.updateErrorGroup, { params, body: { archiveForEver: true } })
  assert.deepEqual(await countsOf(server, check), [])
})
