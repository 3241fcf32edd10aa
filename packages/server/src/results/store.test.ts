import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePartitions } from '../db/partitions.ts'
import { makeCheck } from '../testing/checks.ts'
import { addResults } from '../testing/results.ts'
import { startTestServer } from '../testing/test-server.ts'
import type { ResultQuery } from './result-store.ts'
import { postgresResults } from './store.ts'

const DAY = 86_400_000

test('pages reach back as far as there are results, each result once, whatever is asked for', async (t) => {
  const server = await startTestServer(t)
  const { db } = server
  const nowMs = Date.now()
  const check = await makeCheck(server)
  const { no } = await db.selectFrom('checks').select('no').where('id', '=', check.id).executeTakeFirstOrThrow()
  const ages = [0.01, 0.5, 1.9, 2.1, 5, 9.9, 10.1, 17, 28]
  for (const age of ages) await makePartitions(db, nowMs - age * DAY)
  await addResults(
    server,
    check,
    ages.map((age) => ({
      atMs: nowMs - age * DAY,
      verdict: age > 9 ? ('failed' as const) : ('passed' as const),
      responseTimeMs: 10,
      location: 'us-east-1',
    })),
  )
  const all: ResultQuery = {
    fromMs: null,
    toMs: null,
    locationNo: null,
    hasFailures: null,
    resultType: 'FINAL',
    before: null,
    limit: 2,
    gapMs: DAY / 2,
  }
  /** Page after page, as ages in days. */
  const read = async (query: Partial<ResultQuery>) => {
    const found: number[] = []
    for (let before: string | null = null; ; ) {
      const page = await postgresResults.page(db, no, { ...all, ...query, before })
      found.push(...page.map(({ startedAtMs }) => Math.round((nowMs - startedAtMs) / (DAY / 100)) / 100))
      const last = page.at(-1)
      if (last === undefined) return found
      before = last.id
    }
  }
  assert.deepEqual(await read({}), ages)
  assert.deepEqual(await read({ limit: 100 }), ages)
  assert.deepEqual(await read({ gapMs: 60_000 }), ages)
  assert.deepEqual(await read({ resultType: 'ALL', gapMs: 365 * DAY }), ages)
  assert.deepEqual(await read({ resultType: 'ATTEMPT' }), [])
  assert.deepEqual(await read({ hasFailures: false }), ages.slice(0, 5))
  assert.deepEqual(await read({ hasFailures: true }), [9.9, 10.1, 17, 28])
  assert.deepEqual(await read({ fromMs: nowMs - 9.95 * DAY }), [0.01, 0.5, 1.9, 2.1, 5, 9.9])
  assert.deepEqual(await read({ toMs: nowMs - 3 * DAY }), [5, 9.9, 10.1, 17, 28])
  assert.deepEqual(await read({ fromMs: nowMs - 18 * DAY, toMs: nowMs - 10 * DAY }), [10.1, 17])
  assert.deepEqual(await read({ fromMs: nowMs - 27 * DAY, toMs: nowMs - 20 * DAY }), [])

  const other = await makeCheck(server)
  await addResults(server, other, [
    { atMs: nowMs - 1000, verdict: 'passed', responseTimeMs: 10, location: 'us-east-1' },
    { atMs: nowMs - 2000, verdict: 'passed', responseTimeMs: 10, location: 'us-east-1' },
  ])
  const { no: otherNo } = await db
    .selectFrom('checks')
    .select('no')
    .where('id', '=', other.id)
    .executeTakeFirstOrThrow()
  const latest = await postgresResults.latest(db, [no, otherNo], 2)
  const mine = (wanted: number) =>
    latest.filter(({ checkNo }) => checkNo === wanted).map(({ startedAtMs }) => startedAtMs)
  assert.deepEqual(mine(otherNo), [nowMs - 1000, nowMs - 2000])
  assert.equal(mine(no).length, 2)
  const many = await postgresResults.latest(db, [no], 5)
  assert.equal(many.length, 5)
  assert.ok(many.every(({ id }, index) => index === 0 || id < (many[index - 1]?.id ?? '')))
})
