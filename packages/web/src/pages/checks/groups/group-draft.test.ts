import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckGroup, DEFAULT_ALERT_SETTINGS } from '@vedette/schema'
import type { GroupBody } from '../../../api/save-group.ts'
import { aGroup } from './group.fixture.ts'
import { blankGroup, draftGroup, writeGroup } from './group-draft.ts'

test('a group that is opened and saved again has the same opinions, or none', () => {
  const cases: Partial<CheckGroup>[] = [
    {},
    { runParallel: true, useGlobalAlertSettings: true, retryStrategy: null },
    { runParallel: false, useGlobalAlertSettings: false, alertSettings: DEFAULT_ALERT_SETTINGS },
    { retryStrategy: { type: 'LINEAR', maxRetries: 3 }, locations: ['us-east-1'], privateLocations: ['office'] },
  ]
  const opinions = ({ runParallel, useGlobalAlertSettings, retryStrategy, locations }: GroupBody | CheckGroup) => ({
    runParallel,
    useGlobalAlertSettings,
    retryStrategy,
    locations,
  })
  for (const given of cases) {
    const group = aGroup(given)
    assert.deepEqual(opinions(writeGroup(draftGroup(group))), opinions(group))
  }
})

test('what an older group decides without saying so is said once it is saved', () => {
  const older = aGroup({ version: 1, retryStrategy: null, doubleCheck: true })
  const { runParallel, useGlobalAlertSettings, retryStrategy } = writeGroup(draftGroup(older))
  assert.equal(runParallel, false)
  assert.equal(useGlobalAlertSettings, true)
  assert.ok(typeof retryStrategy === 'object' && retryStrategy?.maxRetries === 1)
})

test('empty rows and credentials are not meant', () => {
  const { apiCheckDefaults } = writeGroup({
    ...blankGroup,
    headers: [{ key: ' ', value: 'x', locked: false }],
  })
  assert.deepEqual(apiCheckDefaults?.headers, [])
  assert.equal(apiCheckDefaults?.basicAuth, null)
})

test('a secret of which nothing is written keeps its value', () => {
  const secret = { key: 'TOKEN', value: null, locked: false, secret: true }
  const locked = { key: 'USER', value: 'ada', locked: true, secret: false }
  const group = aGroup({ environmentVariables: [secret, locked] })
  const draft = draftGroup(group)
  assert.deepEqual(writeGroup(draft).environmentVariables, [secret, locked])
  const [token] = draft.variables
  assert.ok(token)
  const changed = {
    ...draft,
    variables: [
      { ...token, value: 'new' },
      { ...token, key: ' ', isKept: false },
    ],
  }
  assert.deepEqual(writeGroup(changed).environmentVariables, [{ ...secret, value: 'new' }])
})
