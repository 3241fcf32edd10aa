import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALERT_TYPES, type AlertType } from '@vedette/schema'
import fc from 'fast-check'
import { composeDigest, type DigestItem, latestOf } from './digest.ts'

const item = (check: number, type: AlertType, title = `Check ${check} ${type}`): DigestItem => ({
  ALERT_TITLE: title,
  ALERT_TYPE: type,
  CHECK_ID: `0a0c0e10-0000-4000-8000-${String(check).padStart(12, '0')}`,
  CHECK_TYPE: 'API',
  CHECK_RESULT_ID: '0a0c0e10-0000-4000-8000-000000000002',
  FALLBACK_FOR: '',
})
const frame = {
  deliveryId: '0a0c0e10-0000-8000-8000-000000000009',
  link: 'https://vedette.test/alerts',
  startedAt: new Date('2026-01-10T08:01:00Z'),
}

test('a digest counts what became of the checks and lists them, the worst first', () => {
  const digest = composeDigest(
    [
      item(1, 'ALERT_RECOVERY', 'Shop has recovered'),
      item(2, 'ALERT_FAILURE', 'Orders API has failed'),
      item(3, 'ALERT_DEGRADED', 'Search is degraded'),
      item(4, 'ALERT_FAILURE', 'Login has failed'),
      item(4, 'ALERT_SSL', 'The certificate of login.test expires in 3 days'),
    ],
    frame,
  )
  assert.equal(digest.ALERT_TITLE, '4 checks: 2 failing, 1 degraded, 1 certificate that expires, 1 recovered')
  assert.deepEqual(digest.DIGEST_LIST, [
    'Orders API has failed',
    'Login has failed',
    'Search is degraded',
    'The certificate of login.test expires in 3 days',
    'Shop has recovered',
  ])
  assert.equal(digest.CHECK_ERROR_MESSAGE, digest.DIGEST_LIST.join('\n'))
  assert.deepEqual([digest.RESULT_LINK, digest.ALERT_TYPE, digest.DIGEST_COUNT], [frame.link, 'ALERT_FAILURE', 4])
})

test('what came in place of another channel says so in its line', () => {
  const digest = composeDigest([{ ...item(1, 'ALERT_FAILURE', 'Shop has failed'), FALLBACK_FOR: 'the pager' }], frame)
  assert.deepEqual(digest.DIGEST_LIST, ['Shop has failed (the pager could not be reached)'])
})

test('of a check only the latest is told', () => {
  const digest = composeDigest(
    [item(1, 'ALERT_FAILURE'), item(1, 'ALERT_RECOVERY'), item(1, 'ALERT_FAILURE'), item(1, 'ALERT_RECOVERY')],
    frame,
  )
  assert.equal(digest.ALERT_TITLE, '1 check: 1 recovered')
  assert.equal(digest.DIGEST_LIST.length, 1)
})

test('a long list is cut, and says how much is missing', () => {
  const digest = composeDigest(
    Array.from({ length: 103 }, (_, index) => item(index, 'ALERT_FAILURE', 'x'.repeat(1000))),
    frame,
  )
  assert.equal(digest.ALERT_TITLE, '103 checks: 103 failing')
  assert.equal(digest.DIGEST_LIST.at(-1), 'and 83 more')
  assert.equal(digest.DIGEST_LIST.length, 21)
  assert.ok(digest.CHECK_ERROR_MESSAGE.length < 4096)
})

test('whatever it stands for, a digest tells of every check once, with the last that is known of it', () => {
  const items = fc.array(fc.record({ check: fc.integer({ min: 0, max: 12 }), type: fc.constantFrom(...ALERT_TYPES) }), {
    minLength: 1,
    maxLength: 60,
  })
  fc.assert(
    fc.property(items, (given) => {
      const all = given.map(({ check, type }, index) => item(check, type, `${index}`))
      const latest = latestOf(all)
      const keyOf = ({ CHECK_ID, ALERT_TYPE }: DigestItem) => `${CHECK_ID} ${ALERT_TYPE === 'ALERT_SSL'}`
      assert.equal(new Set(latest.map(keyOf)).size, latest.length)
      assert.deepEqual(new Set(latest.map(keyOf)), new Set(all.map(keyOf)))
      for (const one of latest)
        assert.equal(
          all.findLast((other) => keyOf(other) === keyOf(one)),
          one,
        )
    }),
  )
})
