import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aChannel, aCheck, aWorld } from './alerting.fixture.ts'
import { makeDigests } from './digest-store.ts'
import { leaseNotifications } from './store.ts'

const WAITING = 10_000

test('ten thousand messages that have just come for one channel are taken up, whatever the planner knows of them', async (t) => {
  const world = await aWorld(t)
  const { db } = world
  const channel = await aChannel(world, [await aCheck(world)], {})
  await sql`alter table notifications set (autovacuum_enabled = false)`.execute(db)
  await sql`analyze notifications`.execute(db)
  const message = { ALERT_TITLE: 'Shop has failed', ALERT_TYPE: 'ALERT_FAILURE', CHECK_TYPE: 'API', FALLBACK_FOR: '' }
  await sql`
    insert into notifications (id, account_id, check_no, check_id, check_kind, channel_id, channel_type, config, message,
      result_id, status, due_at, created_at)
    select gen_random_uuid(), c.account_id, 1000000 + n, c.id, c.kind, ${channel}, 'WEBHOOK', '{"url":"http://127.0.0.1:9/"}'::jsonb,
      ${JSON.stringify(message)}::jsonb || jsonb_build_object('CHECK_ID', gen_random_uuid(), 'CHECK_RESULT_ID', c.id),
      gen_random_uuid(), 'IN_PROGRESS', now() - interval '1 minute', now() - interval '1 minute'
    from checks c, generate_series(1, ${WAITING}::int) n`.execute(db)
  const pace = { perMinute: 20, minuteMs: 60_000 }
  const wish = {
    leaseMs: 30_000,
    supersedeAfterMs: 600_000,
    limit: 512,
    perChannel: 4,
    room: new Map<number, number>(),
  }
  assert.equal((await leaseNotifications(db, { ...wish, pace })).length, 4)
  assert.equal(await makeDigests(db, { ...pace, gatherMs: 0, supersedeAfterMs: 600_000 }, 'https://vedette.test/'), 1)
  const { count } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'RATE_LIMITED')
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), WAITING - 20)
})
