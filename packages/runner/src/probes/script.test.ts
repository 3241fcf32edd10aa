import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlaywrightSettings } from '@vedette/schema'
import { Dialer } from './http/dialer.ts'
import { Names } from './http/names.ts'
import type { RunContext } from './probe.ts'
import { suiteProbe } from './script.ts'

const settings: PlaywrightSettings = {
  ...{ runtimeId: '2025.04', bundle: 'ab'.repeat(32), workingDir: '.', args: [], hasPages: false },
  ...{ limitMs: 60_000, shouldFail: false, degradedResponseTime: null, maxResponseTime: null },
}

const context = (given: Pick<RunContext, 'playwright' | 'bundles'>): RunContext => ({
  ...{
    signal: AbortSignal.timeout(60_000),
    limitMs: 60_000,
    dialer: new Dialer(new Names(), { preset: 'check-built-in', allow: [], deny: [] }),
  },
  ...{ proxyUrl: null, keepBytes: 0, variables: [], scripts: null, certificates: [], ...given },
})

test('a suite whose bundle cannot be had is our own trouble', async () => {
  const playwright = { run: () => assert.fail('nothing is there to run') }
  const bundles = () => Promise.reject(new Error('it was answered 404'))
  const { failure, response } = await suiteProbe.observe(settings, context({ playwright, bundles }))
  assert.equal(response, null)
  assert.deepEqual(
    [failure?.blame, failure?.message],
    ['ours', 'the bundle of the suite could not be fetched: it was answered 404'],
  )
  const without = await suiteProbe.observe(settings, context({}))
  assert.deepEqual([without.failure?.blame, without.failure?.message], ['ours', 'this runner runs no suites'])
})
