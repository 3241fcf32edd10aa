import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PLAYWRIGHT_RUNTIMES, RUNNABLE_KINDS } from '@vedette/schema'
import { abilitiesOf, type Equipment } from './abilities.ts'
import { runtimesHere } from './playwright/runtimes.ts'

const strict = { level: 'strict' as const, layers: [] }
const equipment: Equipment = {
  runtimes: runtimesHere(),
  browser: { name: 'chromium', version: '156.0' },
  recordsVideo: true,
}
const leftOut = (...given: Parameters<typeof abilitiesOf>) => {
  const { kinds } = abilitiesOf(...given)
  return RUNNABLE_KINDS.filter((kind) => !kinds.includes(kind))
}
const scripts = RUNNABLE_KINDS.filter((kind) => ['MULTI_STEP', 'BROWSER', 'PLAYWRIGHT'].includes(kind))

test('a runner leaves out what it cannot execute', () => {
  assert.deepEqual(leftOut(equipment, strict), [])
  assert.deepEqual(leftOut({ ...equipment, browser: null }, strict), ['BROWSER', 'PLAYWRIGHT'])
  assert.deepEqual(leftOut({ ...equipment, runtimes: [] }, strict), scripts)
  assert.deepEqual(leftOut(equipment, { level: 'none', layers: [] }), scripts)
  assert.deepEqual(leftOut(equipment, null), scripts, 'not found out yet')
  assert.deepEqual(leftOut(null, strict), scripts, 'not found out yet')
})

test('each version of Playwright that suites can ask for is the one that its runtime pins', () => {
  for (const { runtimeId, version } of PLAYWRIGHT_RUNTIMES) {
    const manifest = new URL(`../runtimes/${runtimeId}/package.json`, import.meta.url)
    assert.equal(JSON.parse(readFileSync(manifest, 'utf8')).dependencies['@playwright/test'], version)
  }
})

test('the runtime that comes with the project is told with the versions that are installed', () => {
  const [current] = equipment.runtimes
  assert.equal(current?.id, '2025.04')
  assert.equal(current?.playwright, current?.packages['@playwright/test'])
  assert.equal(current?.node, process.version)
})
