import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ALERT_SETTINGS } from '@vedette/schema'
import fc from 'fast-check'
import { type GroupSettings, type OwnSettings, settingsInForce } from './settings-in-force.ts'

const check: OwnSettings = {
  activated: true,
  muted: false,
  tags: ['y'],
  locations: ['us-east-1', 'us-east-2'],
  privateLocations: ['cellar'],
  runParallel: true,
  retryStrategy: { type: 'FIXED', maxRetries: 3 },
  doubleCheck: false,
  useGlobalAlertSettings: false,
  alertSettings: { ...DEFAULT_ALERT_SETTINGS, runBasedEscalation: { failedRunThreshold: 3 } },
  runtimeId: null,
  request: { method: 'GET', url: 'http://shop.test/' },
  environmentVariables: null,
}
/** A group of version 2 without an opinion on anything. */
const silent: GroupSettings = {
  version: 2,
  activated: true,
  muted: false,
  tags: [],
  locations: [],
  privateLocations: [],
  runParallel: null,
  retryStrategy: 'FALLBACK',
  doubleCheck: false,
  useGlobalAlertSettings: null,
  alertSettings: null,
  runtimeId: null,
  apiCheckDefaults: {},
  environmentVariables: [],
}

const aVariable = (key: string, value: string) => ({ key, value, locked: false, secret: false })

test('a check without a group runs by its own settings', () => {
  const { sources, ...settings } = settingsInForce(check, null)
  assert.deepEqual(settings, check)
  assert.deepEqual(sources.retryStrategy, ['check'])
  assert.deepEqual(sources.runtimeId, ['account'])
})

test('a group without an opinion changes nothing', () => {
  assert.deepEqual(settingsInForce(check, silent), settingsInForce(check, null))
})

test('the worked example: places, silence and tags of the group, the rest of the check', () => {
  const group = { ...silent, locations: ['eu-west-1'], muted: true, tags: ['x'] }
  const { sources, ...settings } = settingsInForce(check, group)
  assert.deepEqual(settings, {
    ...check,
    locations: ['eu-west-1'],
    privateLocations: [],
    muted: true,
    tags: ['y', 'x'],
  })
  assert.deepEqual(sources.locations, ['group'])
  assert.deepEqual(sources.privateLocations, ['group'])
  assert.deepEqual(sources.muted, ['group'])
  assert.deepEqual(sources.tags, ['check', 'group'])
  assert.deepEqual(sources.runParallel, ['check'])
})

test('a private location alone takes the place of both lists', () => {
  const settings = settingsInForce(check, { ...silent, privateLocations: ['attic'] })
  assert.deepEqual([settings.locations, settings.privateLocations], [[], ['attic']])
})

test('either switch turns off, either silence holds', () => {
  for (const [own, group] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const settings = settingsInForce(
      { ...check, activated: own, muted: own },
      { ...silent, activated: group, muted: group },
    )
    assert.equal(settings.activated, own && group)
    assert.equal(settings.muted, own || group)
  }
})

test('a strategy of the group wins, and so does none; FALLBACK leaves it to the check', () => {
  const strategy = { type: 'SINGLE_RETRY' } as const
  assert.deepEqual(settingsInForce(check, { ...silent, retryStrategy: strategy }).retryStrategy, strategy)
  assert.equal(settingsInForce(check, { ...silent, retryStrategy: null }).retryStrategy, null)
  assert.deepEqual(settingsInForce(check, silent).retryStrategy, check.retryStrategy)
  const older: GroupSettings = { ...silent, version: 1, retryStrategy: undefined, doubleCheck: true }
  assert.deepEqual(settingsInForce(check, older).retryStrategy, check.retryStrategy)
})

test('alert settings: the group of version 2 speaks only when asked, that of version 1 always', () => {
  const own = { ...DEFAULT_ALERT_SETTINGS, runBasedEscalation: { failedRunThreshold: 5 as const } }
  const table = [
    [2, null, own, false, check.alertSettings, 'check'],
    [2, true, own, true, check.alertSettings, 'account'],
    [2, false, own, false, own, 'group'],
    [2, false, null, false, check.alertSettings, 'check'],
    [1, null, own, true, check.alertSettings, 'account'],
    [1, true, own, true, check.alertSettings, 'account'],
    [1, false, own, false, own, 'group'],
    [1, false, null, true, check.alertSettings, 'account'],
  ] as const
  for (const [version, useGlobalAlertSettings, alertSettings, global, wins, from] of table) {
    const settings = settingsInForce(check, { ...silent, version, useGlobalAlertSettings, alertSettings })
    const what = `version ${version}, global ${useGlobalAlertSettings}`
    assert.equal(settings.useGlobalAlertSettings, global, what)
    assert.deepEqual(settings.alertSettings, wins, what)
    assert.deepEqual(settings.sources.alertSettings, [from], what)
  }
})

test('the runtime is the check’s, else the group’s, else the account’s', () => {
  const group = { ...silent, runtimeId: '2024.02' }
  assert.deepEqual(settingsInForce(check, group).sources.runtimeId, ['group'])
  assert.equal(settingsInForce({ ...check, runtimeId: '2025.04' }, group).runtimeId, '2025.04')
})

test('defaults of the group fill in what the request lacks', () => {
  const group: GroupSettings = {
    ...silent,
    apiCheckDefaults: {
      headers: [
        { key: 'X-Team', value: 'group', locked: false },
        { key: 'accept', value: 'group', locked: false },
      ],
      queryParameters: [{ key: 'v', value: '1', locked: false }],
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }],
      basicAuth: { username: 'g', password: 'p' },
    },
  }
  const request = {
    method: 'GET',
    url: 'http://shop.test/',
    headers: [{ key: 'Accept', value: 'check', locked: false }],
    assertions: [{ source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: '900' }],
  } as const
  const merged = settingsInForce(
    { ...check, request: { ...request, headers: [...request.headers], assertions: [...request.assertions] } },
    group,
  )
  assert.deepEqual(
    merged.request?.headers?.map(({ key, value }) => [key, value]),
    [
      ['Accept', 'check'],
      ['X-Team', 'group'],
    ],
  )
  assert.deepEqual(
    merged.request?.assertions?.map(({ source }) => source),
    ['RESPONSE_TIME', 'STATUS_CODE'],
  )
  assert.equal(merged.request?.basicAuth?.username, 'g')
  assert.deepEqual(merged.sources.request, ['check', 'group'])
  assert.equal(settingsInForce({ ...check, request: null }, group).request, null)
})

const someVariables = fc.uniqueArray(
  fc
    .record({ key: fc.constantFrom('A', 'B', 'C', 'a'), value: fc.constantFrom('1', '2') })
    .map(({ key, value }) => aVariable(key, value)),
  { selector: ({ key }) => key, maxLength: 3 },
)

test('variables of the check replace those of the group with the same key, and no others', () => {
  fc.assert(
    fc.property(someVariables, someVariables, (own, groups) => {
      const { environmentVariables, sources } = settingsInForce(
        { ...check, environmentVariables: own },
        { ...silent, environmentVariables: groups },
      )
      const expected = new Map([...groups, ...own].map((item) => [item.key, item.value]))
      assert.deepEqual(new Map(environmentVariables?.map(({ key, value }) => [key, value])), expected)
      assert.equal(environmentVariables?.length, expected.size)
      const names = (items: typeof own) => items.map(({ key }) => key)
      const inherits = names(groups).some((key) => !names(own).includes(key))
      const levels = [...(own.length > 0 || !inherits ? ['check'] : []), ...(inherits ? ['group'] : [])]
      assert.deepEqual(sources.environmentVariables, levels)
    }),
  )
})

test('a kind without variables of its own gets none from its group', () => {
  const group = { ...silent, environmentVariables: [aVariable('A', '1')] }
  assert.equal(settingsInForce(check, group).environmentVariables, null)
})

test('applying a group twice is applying it once', () => {
  const group = fc.record({
    version: fc.constantFrom<1 | 2>(1, 2),
    activated: fc.boolean(),
    muted: fc.boolean(),
    tags: fc.array(fc.constantFrom('a', 'b', 'y'), { maxLength: 3 }),
    locations: fc.subarray(['eu-west-1', 'us-east-1']),
    privateLocations: fc.subarray(['cellar', 'attic']),
    runParallel: fc.constantFrom(true, false, null),
    retryStrategy: fc.constantFrom<GroupSettings['retryStrategy']>(null, undefined, 'FALLBACK', {
      type: 'LINEAR' as const,
    }),
    doubleCheck: fc.boolean(),
    useGlobalAlertSettings: fc.constantFrom(true, false, null),
    alertSettings: fc.constantFrom(null, DEFAULT_ALERT_SETTINGS),
    runtimeId: fc.constantFrom(null, '2024.02'),
    apiCheckDefaults: fc.constant<GroupSettings['apiCheckDefaults']>({
      headers: [{ key: 'a', value: '1', locked: false }],
    }),
    environmentVariables: someVariables,
  })
  fc.assert(
    fc.property(group, someVariables, (settings, environmentVariables) => {
      const { sources: _once, ...once } = settingsInForce({ ...check, environmentVariables }, settings)
      const { sources: _twice, ...twice } = settingsInForce(once, settings)
      assert.deepEqual({ ...twice, tags: [...twice.tags] }, { ...once, tags: [...once.tags] })
    }),
  )
})
