import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Isolation,
  KINDS_WITH_RUNTIME,
  RUNNABLE_KINDS,
  RUNTIMES,
  type RunnerRuntime,
  type RuntimeId,
} from '@vedette/schema'
import fc from 'fast-check'
import { type AbleRunner, abilityWords, canExecute, needOf, needWord, scriptsAt, whyUnable } from './abilities.ts'

const runtime = (id: RuntimeId): RunnerRuntime => ({
  ...{ id, playwright: '1.65.1', node: 'v24.21.0', engine: 'plain', packages: {} },
})

const runner = (given: Partial<AbleRunner> = {}): AbleRunner => ({
  kinds: [...RUNNABLE_KINDS],
  runtimes: [runtime('2025.04')],
  browser: { name: 'chromium', version: '156.0' },
  recordsVideo: true,
  isolation: { level: 'strict', layers: [] },
  ...given,
})

const kindsWithout = (...left: string[]) => RUNNABLE_KINDS.filter((kind) => !left.includes(kind))

test('only scripts ask for a runtime', () => {
  assert.equal(needWord(needOf('API', '2025.04')), 'API')
  assert.equal(needWord(needOf('MULTI_STEP', '2024.09')), 'MULTI_STEP/2024.09')
})

test('what is missing is said, of the runner that lacks least', () => {
  const why = (kind: 'API' | 'BROWSER' | 'MULTI_STEP', id: RuntimeId, ...runners: AbleRunner[]) =>
    whyUnable(runners, needOf(kind, id))
  const noScripts = runner({ kinds: kindsWithout('BROWSER', 'MULTI_STEP'), isolation: { level: 'none', layers: [] } })
  const noBrowser = runner({ kinds: kindsWithout('BROWSER'), browser: null })
  assert.equal(why('BROWSER', '2025.04'), null)
  assert.equal(why('BROWSER', '2025.04', noScripts, noBrowser, runner()), null)
  assert.equal(why('API', '2024.09', noScripts), null)
  assert.match(why('API', '2025.04', runner({ kinds: [] })) ?? '', /execute this: checks of the kind API are not known/)
  assert.match(why('MULTI_STEP', '2024.09', runner()) ?? '', /the runtime 2024\.09 is not installed/)
  assert.match(why('MULTI_STEP', '2023.02', runner()) ?? '', /the runtime 2023\.02 has no multi-step checks/)
  assert.match(why('BROWSER', '2025.04', noScripts) ?? '', /cannot be kept apart.*bubblewrap/)
  assert.match(why('BROWSER', '2025.04', noScripts, noBrowser) ?? '', /there is no browser/)
  const starting = runner({ kinds: kindsWithout('BROWSER', 'MULTI_STEP'), runtimes: [], isolation: null })
  assert.match(why('BROWSER', '2025.04', starting) ?? '', /not been found out yet/)
})

const someRunner = fc.record({
  kinds: fc.subarray([...RUNNABLE_KINDS]),
  runtimes: fc.subarray([...RUNTIMES]).map((ids) => ids.map(runtime)),
  browser: fc.constantFrom(null, { name: 'chromium', version: '1' }),
  recordsVideo: fc.boolean(),
  isolation: fc.constantFrom<Isolation | null>(null, { level: 'none', layers: [] }, { level: 'strict', layers: [] }),
})
const someNeed = fc.record({ kind: fc.constantFrom(...RUNNABLE_KINDS), id: fc.constantFrom(...RUNTIMES) })

test('a reason is given exactly where somebody is there and none of them can execute it', () => {
  fc.assert(
    fc.property(fc.array(someRunner, { maxLength: 4 }), someNeed, (runners, { kind, id }) => {
      const need = needOf(kind, id)
      const isAble = runners.some((one) => canExecute(one, need))
      assert.equal(whyUnable(runners, need) === null, runners.length === 0 || isAble)
    }),
  )
})

test('the words of a runner are exactly the needs that it meets', () => {
  fc.assert(
    fc.property(someRunner, (one) => {
      const needs = RUNNABLE_KINDS.flatMap((kind) => RUNTIMES.map((id) => needOf(kind, id)))
      const met = new Set(needs.filter((need) => canExecute(one, need)).map(needWord))
      assert.deepEqual(new Set(abilityWords(one)), met)
      for (const word of met)
        assert.equal(
          word.includes('/'),
          KINDS_WITH_RUNTIME.some((kind) => word.startsWith(kind)),
        )
    }),
  )
})

test('a place has what its runners have together, and videos where each that opens pages records them', () => {
  assert.equal(scriptsAt([runner({ runtimes: [] })]), null)
  const old = runner({ runtimes: [runtime('2024.09')], browser: null, recordsVideo: false })
  const scripts = scriptsAt([old, runner()])
  assert.deepEqual(
    scripts?.runtimes.map(({ id }) => id),
    ['2025.04', '2024.09'],
  )
  assert.deepEqual([scripts?.browser?.name, scripts?.recordsVideo], ['chromium', true])
  assert.equal(scriptsAt([old])?.browser, null)
  assert.equal(scriptsAt([runner(), runner({ recordsVideo: false })])?.recordsVideo, false)
})

test('a place forks scripts where each of its runners does', () => {
  const by = (engine: RunnerRuntime['engine']) => runner({ runtimes: [{ ...runtime('2025.04'), engine }] })
  const told = (...runners: AbleRunner[]) => scriptsAt(runners)?.runtimes.map(({ engine }) => engine)
  assert.deepEqual(told(by('forked'), by('forked')), ['forked'])
  assert.deepEqual(told(by('forked'), by('warm')), ['warm'])
  assert.deepEqual(told(by('warm'), by('forked')), ['warm'])
})
