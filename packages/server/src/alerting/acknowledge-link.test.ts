import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ALERT_TYPES } from '@vedette/schema'
import fc from 'fast-check'
import { dataKey } from '../secrets/seal.ts'
import { secretsWith } from '../secrets/secrets.ts'
import { acknowledgeLinks, readAcknowledgeToken } from './acknowledge-link.ts'
import { aChannel, aCheck, aLink, aLog, aMessage, anAlert, aWorld, eventually, noGateways } from './alerting.fixture.ts'
import { startDelivery } from './deliver.ts'
import { episodeId } from './delivery-id.ts'
import { enqueueAlerts } from './outbox.ts'
import { startReceiver } from './receiver.fixture.ts'

const DAY_MS = 86_400_000
const urlOf = (token: string) => `https://vedette.test/acknowledge/${token}`
const aKey = () => dataKey(randomBytes(32))

test('a link names check, trouble and channel for a week, and only whoever has the key can make one', () => {
  const key = aKey()
  const links = acknowledgeLinks(secretsWith(key), urlOf, () => 1000)
  fc.assert(
    fc.property(
      fc.uuid({ version: 4 }),
      fc.uuid({ version: 4 }),
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      fc.nat(383),
      (CHECK_ID, EPISODE_ID, channelId, bit) => {
        const link = links(aMessage({ CHECK_ID, EPISODE_ID }), channelId) ?? assert.fail()
        assert.equal(link.url, urlOf(link.secret))
        const named = readAcknowledgeToken(secretsWith(aKey(), key), link.secret) ?? assert.fail('also an older key')
        assert.deepEqual([named.checkId, named.channelId, named.expiresAtMs], [CHECK_ID, channelId, 7 * DAY_MS + 1000])
        assert.ok(named.isAbout(EPISODE_ID) && !named.isAbout(episodeId(CHECK_ID, 'another')))
        const changed = Buffer.from(link.secret, 'base64url')
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        assert.equal(readAcknowledgeToken(secretsWith(key), changed.toString('base64url')), null)
        assert.equal(readAcknowledgeToken(secretsWith(aKey()), link.secret), null)
      },
    ),
    { numRuns: 50 },
  )
  for (const token of ['', 'x', '='.repeat(64), 'A'.repeat(64), 'A'.repeat(63), '\u0000'.repeat(64)])
    assert.equal(readAcknowledgeToken(secretsWith(key), token), null)
})

test('only what opens or continues trouble has a link', () => {
  const links = acknowledgeLinks(secretsWith(aKey()), urlOf, () => 0)
  const without = ALERT_TYPES.filter((ALERT_TYPE) => links(aMessage({ ALERT_TYPE }), 1) === null)
  assert.deepEqual(without, ['NO_ALERT', 'ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY', 'ALERT_SSL'])
})

test('the receiver gets the link, and neither the log nor the database keeps it', async (t) => {
  const receiver = await startReceiver(t, ({ body }, response) => response.writeHead(200).end(`thanks for ${body}`))
  const world = await aWorld(t)
  const check = await aCheck(world)
  const template = '{"go": "{{ACKNOWLEDGE_LINK}}", "held": "{{HELD_CHECKS}}"}'
  const channelId = await aChannel(world, [check], { config: { url: receiver.url, template } })
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)
  const parts = { db: world.open().db, secrets: world.secrets, log: aLog(), egress: { allow: [], deny: [] } }
  const acknowledgeLink = acknowledgeLinks(world.secrets, urlOf, Date.now)
  const unlimited = { messagesPerMinute: 0, alertsPage: 'http://vedette.test/alerts' }
  const delivery = startDelivery({ ...parts, mailer: null, channels: noGateways, ...unlimited, acknowledgeLink })
  world.atEnd(() => delivery.stop())
  const row = await eventually(() =>
    world.db.selectFrom('notifications').selectAll().where('status', '=', 'SUCCESS').executeTakeFirst(),
  )
  const { go }: { go?: string } = JSON.parse(receiver.received[0]?.body ?? '{}')
  const token = go?.split('/').at(-1) ?? ''
  assert.equal(readAcknowledgeToken(world.secrets, token)?.channelId, channelId)
  assert.ok(!JSON.stringify(row).includes(token))
  assert.match(row.outcome ?? '', /acknowledge\/\*{8}"/)
  assert.match(JSON.stringify(row.config), /acknowledge\/\*{8}/)
})
