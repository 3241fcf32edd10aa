import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ALERT_SETTINGS } from '@vedette/schema'
import { aGroup } from './group.fixture.ts'
import { NO_OVERRIDES, overridesOf } from './overrides.ts'

test('a group without an opinion overrides nothing', () => {
  assert.deepEqual(overridesOf(aGroup({})), NO_OVERRIDES)
})

test('an older group decides also where it says nothing', () => {
  const { locations, runParallel, retry, alerts } = overridesOf(
    aGroup({ version: 1, retryStrategy: null, doubleCheck: true }),
  )
  assert.equal(locations, null)
  assert.match(runParallel ?? '', /one location after the other/)
  assert.match(retry ?? '', /once, right away/)
  assert.match(alerts ?? '', /the account’s settings/)
})

test('what a group says is said beside the fields of its checks', () => {
  const said = overridesOf(
    aGroup({
      activated: false,
      muted: true,
      tags: ['shop'],
      locations: ['eu-central-1'],
      privateLocations: ['office'],
      runParallel: true,
      retryStrategy: null,
      useGlobalAlertSettings: false,
      alertSettings: { ...DEFAULT_ALERT_SETTINGS, runBasedEscalation: { failedRunThreshold: 3 } },
      alertChannelSubscriptions: [{ alertChannelId: 1, activated: true }],
      apiCheckDefaults: {
        url: 'https://shop.test',
        headers: [{ key: 'x-team', value: 'shop', locked: false }],
        basicAuth: { username: 'u', password: 'p' },
      },
    }),
  )
  assert.match(said.activated ?? '', /paused/)
  assert.match(said.muted ?? '', /muted/)
  assert.match(said.tags ?? '', /shop/)
  assert.match(said.locations ?? '', /Frankfurt, office/)
  assert.match(said.runParallel ?? '', /at once/)
  assert.match(said.retry ?? '', /not at all/)
  assert.match(said.alerts ?? '', /after 3 failed runs/)
  assert.match(said.channels ?? '', /channels/)
  assert.match(said.request ?? '', /1 header, basic auth.*GROUP_BASE_URL/)
})
