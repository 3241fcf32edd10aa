/** Whatever happens to messages on their way: order, limit and digests hold. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALERT_TYPES } from '@vedette/schema'
import fc from 'fast-check'
import { sql } from 'kysely'
import { aChannel, aCheck, aLink, anAlert, aWorld, type World } from './alerting.fixture.ts'
import { makeDigests } from './digest-store.ts'
import { enqueueAlerts } from './outbox.ts'
import { type LeasedNotification, leaseNotifications, recordDelivered, recordFailedTry } from './store.ts'

const LIMIT = 1
const pace = { perMinute: LIMIT, minuteMs: 60_000 }
const digestTimes = { ...pace, gatherMs: 0, supersedeAfterMs: 600_000 }
const everything = {
  supersedeAfterMs: 600_000,
  leaseMs: 3_600_000,
  limit: 100,
  perChannel: 100,
  room: new Map<number, number>(),
}
const PAGE = 'https://vedette.test/alerts'

/** Something that happens; numbers choose among what there is. */
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('alert' as const), check: fc.nat(), type: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lease' as const), limit: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('accept' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refuse' as const), which: fc.nat(), last: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('digest' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('minute' as const) }) },
)

const types = ALERT_TYPES.filter((type) => type !== 'NO_ALERT' && type !== 'ALERT_SSL')

async function assertSound({ db }: World): Promise<void> {
  const rows = await db.selectFrom('notifications').selectAll().execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const row of rows.filter(({ status }) => status === 'RATE_LIMITED')) {
    const digest = byId.get(row.digest_id ?? '')
    assert.ok(digest?.carries, 'held back without a digest')
    assert.ok((row.outcome ?? '').includes(digest.id))
    if (row.carries !== null) continue
    assert.notEqual(digest.status, 'RATE_LIMITED', 'in a digest that was itself taken up')
    assert.ok(digest.carries.includes(row.check_no ?? 0))
  }
  const minuteAgo = Date.now() - pace.minuteMs
  const byItself = rows.filter(
    ({ handed_at, carries, status }) =>
      handed_at !== null && carries === null && (status === 'IN_PROGRESS' || handed_at.getTime() > minuteAgo),
  )
  assert.ok(byItself.length <= LIMIT, `${byItself.length} within the minute`)
}

test('whatever happens, nothing is lost, overtaken or more than the limit', async (t) => {
  const world = await aWorld(t)
  const { db } = world
  const checks = [await aCheck(world), await aCheck(world), await aCheck(world)]
  await aChannel(world, checks, {})

  /** The last that was accepted about each check. */
  const told = new Map<number, number>()
  const tellOf = (check: number, seq: number) => {
    assert.ok(seq > (told.get(check) ?? 0), 'older news after newer')
    told.set(check, seq)
  }
  const accept = async (one: LeasedNotification) => {
    await recordDelivered(db, { id: one.id, outcome: 'HTTP 200', used: one.channel.config })
    const row = await db.selectFrom('notifications').selectAll().where('id', '=', one.id).executeTakeFirstOrThrow()
    if (row.check_no !== null) return tellOf(row.check_no, row.seq)
    const { rows } = await sql<{ check_no: number; last: number }>`
      select check_no, max(seq) as last from notifications where digest_id = ${one.id} and carries is null
      group by check_no`.execute(db)
    assert.equal(rows.length, row.carries?.length)
    for (const { check_no, last } of rows) tellOf(check_no, last)
  }

  /** A digest that is as if it were made some time ago: the next one is due at once. */
  const digest = async () => {
    const made = await makeDigests(db, digestTimes, PAGE)
    const past = new Date(Date.now() - 120_000)
    await db.updateTable('notifications').set({ created_at: past }).where('carries', 'is not', null).execute()
    return made
  }

  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 50, size: 'max' }), async (events) => {
      await db.deleteFrom('notifications').execute()
      told.clear()
      let inHand: LeasedNotification[] = []
      const take = (which: number) => {
        const one = inHand[which % inHand.length]
        inHand = inHand.filter((other) => other !== one)
        return one
      }
      for (const one of events) {
        if (one.kind === 'alert') {
          const check = checks[one.check % checks.length] ?? assert.fail()
          const alertType = types[one.type % types.length] ?? assert.fail()
          await enqueueAlerts(db, [anAlert(world, check, { alertType })], aLink)
        } else if (one.kind === 'lease') {
          inHand.push(...(await leaseNotifications(db, { ...everything, limit: one.limit, pace })))
        } else if (one.kind === 'digest') {
          await digest()
        } else if (one.kind === 'minute') {
          // A minute goes by.
          const past = new Date(Date.now() - 120_000)
          await db.updateTable('notifications').set({ handed_at: past }).where('handed_at', 'is not', null).execute()
        } else {
          const tried = inHand.length === 0 ? undefined : take(one.which)
          if (tried === undefined) continue
          if (one.kind === 'accept') await accept(tried)
          else {
            const retryInMs = one.last ? null : 0
            await recordFailedTry(db, { ...tried, outcome: 'HTTP 500', used: tried.channel.config, retryInMs })
          }
        }
        await assertSound(world)
      }
      // In the end everything is accepted: the next one, a digest, the next one, …
      for (;;) {
        inHand.push(...(await leaseNotifications(db, { ...everything, pace })))
        if (inHand.length === 0 && (await digest()) === 0) break
        for (const one of inHand) await accept(one)
        inHand = []
      }
      const left = await db.selectFrom('notifications').select('id').where('status', '=', 'IN_PROGRESS').execute()
      assert.deepEqual(left, [])
      await assertSound(world)
    }),
    { numRuns: 30 },
  )
})
