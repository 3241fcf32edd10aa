import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { ScriptEngine } from '@vedette/schema'
import { openEgressProxy } from '../scripts/egress-proxy.ts'
import { findSystemBrowsers, linkBrowsers } from './browsers.ts'
import type { ScriptEvent } from './event.ts'
import type { JobFile, PlaywrightJob, Recording } from './job.ts'
import { type InsideOptions, InsideProcess, only, RUNTIME } from './testing/inside-process.ts'
import { startSite } from './testing/site.ts'

const NOTHING: Recording = { trace: 'off', video: 'off', screenshot: 'off' }
const temporary = mkdtempSync(join(tmpdir(), 'vedette-inside-test-'))
const browsers = join(temporary, 'browsers')
await linkBrowsers(RUNTIME, browsers, await findSystemBrowsers(process.env.CHROMIUM_PATH))
const site = await startSite()
after(() => {
  site.server.close()
  rmSync(temporary, { recursive: true })
})

const file = (path: string, content: string): JobFile => ({ path, content, encoding: 'utf8' })
const spec = (body: string) => `import { test, expect } from '@playwright/test'\n${body}`

function testJob(content: string, changes: Partial<Extract<PlaywrightJob, { is: 'test' }>> = {}): PlaywrightJob {
  const files = [file('check.spec.ts', spec(content)), ...(changes.files ?? [])]
  const variables = { SITE: site.url }
  return { is: 'test', entry: 'check.spec.ts', limitMs: 120_000, recording: NOTHING, variables, ...changes, files }
}

function programJob(content: string, entry = 'check.js'): PlaywrightJob {
  return { is: 'program', entry, files: [file(entry, content)], limitMs: 120_000, variables: { SITE: site.url } }
}

const run = (engine: ScriptEngine, job: PlaywrightJob, options: InsideOptions = {}) =>
  new InsideProcess(engine, { browsers, ...options }).run(job)
const outputOf = (events: readonly ScriptEvent[]) =>
  only(events, 'output')
    .map(({ text }) => text)
    .join('')
const endOf = (events: readonly ScriptEvent[]) => {
  const end = only(events, 'end')[0]
  return [end?.status, end?.code]
}
const filesOf = (events: readonly ScriptEvent[]) =>
  only(events, 'file')
    .filter(({ role }) => role !== 'cache')
    .map(({ role, name }) => `${role} ${name}`)
    .sort()
const bytesOf = (events: readonly ScriptEvent[], no: number) =>
  Buffer.concat(only(events, 'data').flatMap((data) => (data.no === no ? [Buffer.from(data.base64, 'base64')] : [])))

for (const engine of ['warm', 'plain'] as const)
  test(`${engine}: a run that is interrupted tells how far it came, and leaves its trace`, async () => {
    const process = new InsideProcess(engine, { browsers })
    const recording: Recording = { trace: 'on', video: 'off', screenshot: 'off' }
    const ending = process.run(
      testJob(
        "test('hangs', async ({ request }) => { test.setTimeout(0); await test.step('a wait', () => new Promise(() => {})) })",
        { recording },
      ),
    )
    await process.heard((event) => event.is === 'step' && event.title === 'a wait')
    process.interrupt()
    const events = await ending
    assert.deepEqual(endOf(events), ['interrupted', null])
    assert.deepEqual(
      only(events, 'test-end').map(({ status, isLast }) => [status, isLast]),
      [['interrupted', true]],
    )
    assert.deepEqual(filesOf(events), ['report report.json', 'trace trace.zip'])
  })

test('a run is interrupted when its time is over', async () => {
  const job = testJob("test('hangs', async () => { test.setTimeout(0); await new Promise(() => {}) })", {
    limitMs: 1500,
  })
  assert.deepEqual(endOf(await run('warm', job)), ['interrupted', null])
})

test('a program ends as its process would', async (context) => {
  const cases: [string, string, unknown[], number][] = [
    ['at its end', "console.log('done')", ['passed', 0], 0],
    ['by its exit code', 'process.exit(3)', ['failed', 3], 0],
    ['by what it throws', "throw new Error('wrong')", ['failed', 1], 1],
    ['by a promise that nobody watches', "Promise.reject(new Error('wrong'))", ['failed', 1], 1],
    ['by waiting for nothing', 'await new Promise(() => {})', ['failed', 13], 1],
    ['by code that is set', 'process.exitCode = 2', ['failed', 2], 0],
  ]
  for (const [name, content, end, faults] of cases)
    await context.test(name, async () => {
      const events = await run('warm', programJob(content, content.startsWith('await') ? 'check.mjs' : 'check.js'))
      assert.deepEqual(endOf(events), end)
      assert.equal(only(events, 'fault').length, faults)
      assert.equal(only(events, 'begin')[0]?.tests, 0)
    })
})

test('a program opens pages, and what it photographs is kept', async () => {
  const events = await run(
    'warm',
    programJob(
      `import { chromium } from 'playwright'
      enum Part { Heading = 'h1' }
      const browser = await chromium.launch()
      const page = await browser.newPage()
      await page.goto(process.env.SITE + '/form')
      console.log(await page.textContent(Part.Heading))
      await page.screenshot({ path: 'shots/form.png' })
      await page.evaluate(() => new Promise((done) => new PerformanceObserver(done).observe({ type: 'paint', buffered: true })))
      await browser.close()`,
      'check.mts',
    ),
  )
  assert.deepEqual(only(events, 'fault'), [])
  assert.deepEqual(
    [endOf(events), outputOf(events), filesOf(events)],
    [['passed', 0], 'Form\n', ['screenshot shots/form.png']],
  )
  assert.deepEqual(
    only(events, 'page').map(({ url }) => url),
    [`${site.url}/form`],
  )
  const [vitals] = only(events, 'page').map((page) => page.vitals)
  assert.ok(vitals?.TTFB && vitals.FCP, 'measured')
})

test('trace, video and screenshot of a test that fails', async () => {
  const recording: Recording = { trace: 'retain-on-failure', video: 'retain-on-failure', screenshot: 'only-on-failure' }
  const events = await run(
    'warm',
    testJob(
      `test('fails', async ({ page }) => { await page.goto(process.env.SITE + '/form'); expect(await page.title()).toBe('x') })`,
      { recording },
    ),
  )
  assert.deepEqual(filesOf(events), [
    'attachment error-context.md',
    'report report.json',
    'screenshot test-failed-1.png',
    'trace trace.zip',
    'video video.webm',
  ])
  for (const { no, bytes } of only(events, 'file')) assert.equal(bytesOf(events, no).length, bytes)
  const report = only(events, 'file').find(({ role }) => role === 'report')
  assert.equal(JSON.parse(bytesOf(events, report?.no ?? -1).toString()).stats.unexpected, 1)
})

test('a script sees its own variables and nothing of where it runs', async () => {
  const job = testJob("test('looks', () => console.log(Object.keys(process.env).sort().join()))", {
    variables: { MINE: 'yes', 'not a=name': 'x' },
  })
  const names = outputOf(await run('warm', job))
    .trim()
    .split(',')
  assert.ok(names.includes('MINE'))
  for (const name of names)
    assert.match(
      name,
      /^(?:MINE|PATH|HOME|TMPDIR|LANG|NODE_OPTIONS|NODE_COMPILE_CACHE|VEDETTE_RUN|PLAYWRIGHT_\w+|PWTEST_\w+|PW_\w+|TEST_\w+|FORCE_COLOR|DEBUG_COLORS|BROWSERSLIST_\w+)$/,
    )
})

test('what leads out of the folder of a job is refused', async () => {
  for (const path of ['../out.ts', '/tmp/out.ts', 'a/../../out.ts', 'a\\b.ts', '']) {
    const events = await run('plain', testJob('', { files: [file(path, '')] }))
    assert.deepEqual(endOf(events), ['failed', null])
    assert.match(only(events, 'fault')[0]?.fault.message ?? '', /does not stay in the folder/)
  }
})

test('the cache of one run saves the next from translating', async () => {
  const content = "test('passes', async () => { const a: number = 1; expect(a).toBe(1) })"
  const folder = (events: readonly ScriptEvent[]) =>
    only(events, 'file').flatMap(({ role, name, no }) =>
      role === 'cache'
        ? [{ path: name, content: bytesOf(events, no).toString('base64'), encoding: 'base64' as const }]
        : [],
    )
  const place = join(temporary, 'same-place')
  const cold = await run('warm', testJob(content), { folder: place })
  const files = folder(cold)
  assert.equal(files.length, 2)
  const warm = await run('warm', testJob(content, { files }), { folder: place })
  assert.deepEqual(endOf(warm), ['passed', null])
  assert.deepEqual(folder(warm), [])
})

test('a version whose insides are not known is run by the plain command, and it is said', async () => {
  const modules = join(temporary, 'other', 'node_modules')
  mkdirSync(modules, { recursive: true })
  for (const name of ['@playwright', 'playwright', 'playwright-core'])
    cpSync(join(RUNTIME, name), join(modules, name), { recursive: true })
  const manifest = join(modules, 'playwright', 'package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version": "1.65.1"', '"version": "1.65.2"'))
  const events = await run('warm', testJob("test('passes', async () => {})"), { modules })
  assert.deepEqual([endOf(events), only(events, 'begin')[0]?.engine], [['passed', null], 'plain'])
  assert.match(outputOf(events), /Playwright 1\.65\.2 is not known/)
})

test('a suite runs with its own configuration, in its folder', async () => {
  const events = await run('plain', suiteJob({ 'app/playwright.config.ts': CONFIG, 'app/e2e/a.spec.ts': SUITE_SPEC }))
  assert.deepEqual(endOf(events), ['failed', null])
  assert.deepEqual(
    only(events, 'test-end').map(({ status, retry, isLast }) => [status, retry, isLast]),
    [
      ['failed', 0, false],
      ['passed', 1, true],
    ].map((row) => row),
  )
  assert.deepEqual(
    only(events, 'test').map(({ project, location }) => [project, location.file]),
    [
      ['phones', 'app/e2e/a.spec.ts'],
      ['phones', 'app/e2e/a.spec.ts'],
    ],
  )
  assert.ok(filesOf(events).includes('report report.json'))
})

const CONFIG = `import { defineConfig } from '@playwright/test'
export default defineConfig({ testDir: 'e2e', retries: 1, failOnFlakyTests: true, projects: [{ name: 'phones' }] })`
const SUITE_SPEC = spec("test('flaky', async ({}, info) => { expect(info.retry).toBe(1) })")

function suiteJob(files: Record<string, string>, prepare: (folder: string) => void = () => {}): PlaywrightJob {
  const folder = mkdtempSync(join(temporary, 'suite-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  prepare(folder)
  const archive = execFileSync('tar', ['czPf', '-', '-C', folder, '.'])
  assert.ok(gunzipSync(archive).length > 0)
  return {
    is: 'suite',
    archive: 'suite.tgz',
    workingDir: 'app',
    args: [],
    variables: {},
    files: [{ path: 'suite.tgz', content: archive.toString('base64'), encoding: 'base64' }],
    limitMs: 120_000,
    recording: NOTHING,
  }
}

test('a suite whose links lead out is refused', async () => {
  for (const target of ['/etc', '../../outside']) {
    const job = suiteJob({ 'app/a.spec.ts': '' }, (folder) => symlinkSync(target, join(folder, 'app', 'link')))
    const events = await run('plain', job)
    assert.deepEqual(endOf(events), ['failed', null])
    assert.match(only(events, 'fault')[0]?.fault.message ?? '', /leads out of the archive/)
  }
})

test('pages, requests and other clients go by the one way out, also to the machine itself', async (context) => {
  const socket = join(temporary, 'out.sock')
  const seen: string[] = []
  const proxy = await openEgressProxy(socket, {
    addressOf: async (host) => {
      seen.push(host)
      return '127.0.0.1'
    },
  })
  context.after(() => proxy.close())
  const { port } = new URL(site.url)
  const content = (name: string) => `
    await page.goto('http://${name}.invalid:${port}/form')
    await (await request.newContext()).get('http://127.0.0.1:${port}/json')
    await new Promise((resolve) => { new WebSocket('ws://socket.invalid:${port}/json').onerror = resolve })
    await fetch('http://fetch.invalid:${port}/json')
    await new Promise((resolve) => process.getBuiltinModule('http').get('http://http.invalid:${port}/json', resolve))
    await axios.get('http://axios.invalid:${port}/json')`
  await context.test('of a test', async () => {
    const events = await run(
      'warm',
      testJob(
        `import axios from 'axios'\nimport { request } from '@playwright/test'\ntest('goes', async ({ page }) => {${content('page')} })`,
      ),
      { wayOut: socket },
    )
    assert.deepEqual([endOf(events), only(events, 'fault')], [['passed', null], []])
    assert.deepEqual([...new Set(seen)].sort(), [
      '127.0.0.1',
      ...['axios', 'fetch', 'http', 'page', 'socket'].map((name) => `${name}.invalid`),
    ])
  })
  await context.test('of a program', async () => {
    seen.length = 0
    const events = await run(
      'warm',
      programJob(
        `const { chromium, request } = require('playwright'); const axios = require('axios')
        ;(async () => { const browser = await chromium.launch(); const page = await browser.newPage(); ${content('program')}; await browser.close() })()`,
      ),
      { wayOut: socket },
    )
    assert.deepEqual([endOf(events), only(events, 'fault')], [['passed', 0], []])
    assert.ok(seen.includes('program.invalid') && seen.includes('127.0.0.1'))
  })
})
