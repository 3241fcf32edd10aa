import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONSOLE_LEVELS, SCRIPT_TEST_STATUSES, ScriptAsset, ScriptRun } from '@vedette/schema'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { FILE_ROLES, ScriptEvent } from './event.ts'
import { type FoldedRun, RunFold } from './fold-events.ts'

const FACTS = { runtimeId: '2025.04', engine: 'warm', browser: null } as const
const START = 1_700_000_000_000
const PLACE = { file: 'a.spec.ts', line: 1, column: 1 }

function fold(events: readonly ScriptEvent[]): FoldedRun {
  const fold = new RunFold(FACTS, START)
  for (const event of events) fold.hear(event)
  return fold.finish(START + 1000)
}

// Few names, so that events meet: parents that are their own children, tests and files that are there twice.
const id = fc.constantFrom('1', '2', '3', '__proto__', 'constructor', '')
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('\u001b[31mred', '../../etc/passwd', '<script>', '\0', 'x'.repeat(50)),
)
const at = fc.oneof(fc.integer({ min: START, max: START + 5000 }), fc.constantFrom(0, 8.64e15))
const ms = fc.double({ min: 0, max: 86_400_000, noNaN: true })
const retry = fc.integer({ min: 0, max: 1 })
const place = fc.constant(PLACE)
const fault = fc.record({
  message: text,
  stack: fc.option(text),
  snippet: fc.option(text),
  location: fc.option(place),
})
const status = fc.constantFrom(...SCRIPT_TEST_STATUSES)
const no = fc.integer({ min: 0, max: 3 })
const is = <K extends ScriptEvent['is']>(kind: K) => fc.constant(kind)
const timings = { onContentLoad: fc.option(ms), onLoad: fc.option(ms) }
const vitals = { TTFB: fc.option(ms), FCP: fc.option(ms), LCP: fc.option(ms), CLS: fc.option(ms), TBT: fc.option(ms) }
const event: fc.Arbitrary<ScriptEvent> = fc.oneof(
  fc.record({ is: is('test'), id, retry, titles: fc.array(text), project: text, location: place, at }),
  fc.record({
    ...{ is: is('test-end'), id, retry, status, expected: status, isLast: fc.boolean(), durationMs: ms },
    faults: fc.array(fault, { maxLength: 3 }),
    annotations: fc.array(fc.record({ type: text, description: text }), { maxLength: 3 }),
  }),
  fc.record({
    ...{ is: is('step'), id, test: id, retry, parent: fc.option(id), category: text, title: text },
    ...{ location: fc.option(place), at },
  }),
  fc.record({ is: is('step-end'), id, durationMs: ms, fault: fc.option(fault) }),
  fc.record({ is: is('output'), stream: fc.constantFrom('out', 'err'), text, at }),
  fc.record({ is: is('fault'), fault }),
  fc.record({ is: is('console'), level: fc.constantFrom(...CONSOLE_LEVELS), text, url: text, at }),
  fc.record({ is: is('page-fault'), message: text, url: text, at }),
  fc.record({ is: is('request-failed'), method: text, url: text, problem: text, isDocument: fc.boolean(), at }),
  fc.record({ is: is('page'), url: text, vitals: fc.record(vitals), timings: fc.record(timings), at }),
  fc.record({ is: is('degraded'), reason: text }),
  fc.record({
    ...{ is: is('file'), no, role: fc.constantFrom(...FILE_ROLES), name: text, contentType: text },
    ...{ bytes: fc.constantFrom(0, 3, 1e15), test: fc.option(id), retry },
  }),
  fc.record({ is: is('data'), no, base64: fc.oneof(text, fc.constant('AAAA')) }),
  fc.record({
    ...{ is: is('end'), status: fc.constantFrom('passed', 'failed'), code: fc.constant(null), durationMs: ms },
    filesLeftOut: no,
  }),
)

test('whatever is told in whatever order, what is kept is well-formed', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      for (const one of events) assert.ok(Value.Check(ScriptEvent, one))
      const { run, files, cache } = fold(events)
      assert.ok(Value.Check(ScriptRun, run), JSON.stringify([...Value.Errors(ScriptRun, run)][0]))
      for (const { steps } of run.tests) {
        for (const [place, { depth }] of steps.entries()) assert.ok(depth <= (steps[place - 1]?.depth ?? -1) + 1)
      }
      const begun = new Set(events.flatMap((one) => (one.is === 'step' ? [one.id] : []))).size
      assert.ok(run.tests.reduce((sum, { steps }) => sum + steps.length, 0) <= begun)
      assert.equal(new Set(files.map(({ name }) => name)).size, files.length)
      for (const { content, ...asset } of files) {
        assert.ok(Value.Check(ScriptAsset, asset))
        assert.equal(content.length, asset.size)
      }
      assert.deepEqual([...cache.keys()], [])
    }),
  )
})

test('nothing after the first end counts', () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(event), (before, after) => {
      const end: ScriptEvent = { is: 'end', status: 'failed', code: null, durationMs: 1, filesLeftOut: 0 }
      assert.deepEqual(fold([...before, end, ...after]), fold([...before, end]))
    }),
  )
})

const begun: ScriptEvent = { is: 'test', id: 't', retry: 0, titles: ['buys'], project: '', location: PLACE, at: START }
const step = (id: string, parent: string | null): ScriptEvent => ({
  ...{ is: 'step', id, test: 't', retry: 0, parent, category: 'test.step', title: id, location: null, at: START },
})

test('steps follow the one they are in, in the order in which they began', () => {
  const { run } = fold([begun, step('a', null), step('b', null), step('a1', 'a'), step('b1', 'b'), step('a2', 'a')])
  assert.deepEqual(
    run.tests[0]?.steps.map(({ title, depth }) => `${depth} ${title}`),
    ['0 a', '1 a1', '1 a2', '0 b', '1 b1'],
  )
})

test('steps that are in themselves, or in what comes later, stand by themselves', () => {
  const { run } = fold([begun, step('a', 'a'), step('b', 'c'), step('c', 'b'), step('a', 'c')])
  assert.deepEqual(
    run.tests[0]?.steps.map(({ title, depth }) => `${depth} ${title}`),
    ['0 a', '0 b', '1 c'],
  )
})

test('no more is kept than fits, and what failed is never crowded out', () => {
  const long = 'x'.repeat(16_000)
  const fault = { message: 'the cause', stack: long, snippet: long, location: null }
  const flood = Array.from({ length: 2000 }, (_, n): ScriptEvent[] => [
    { is: 'output', stream: 'out', text: 'x'.repeat(65_536), at: START },
    { is: 'console', level: 'error', text: long.slice(0, 4096), url: 'http://h/', at: START },
    { ...step(`s${n}`, `s${n - 1}`) },
    { is: 'step-end', id: `s${n}`, durationMs: 1, fault },
  ]).flat()
  const failed: ScriptEvent = {
    ...{ is: 'test-end', id: 't', retry: 0, status: 'failed', expected: 'passed', isLast: true, durationMs: 1 },
    ...{ faults: [fault], annotations: [] },
  }
  const { run } = fold([begun, ...flood, failed])
  assert.ok(JSON.stringify(run).length < 10 * 1024 * 1024)
  assert.equal(run.leftOut, true)
  assert.equal(run.traceSummary.consoleErrors, 2000)
  assert.equal(run.errors[0]?.message, 'the cause')
})

test('files are taken whole or not at all, and one that says it is huge takes no room from others', () => {
  const file = (no: number, bytes: number, name = 'a.txt'): ScriptEvent => ({
    ...{ is: 'file', no, role: 'attachment', name, contentType: 'text/plain', bytes, test: null, retry: 0 },
  })
  const data = (no: number, text: string): ScriptEvent => ({ is: 'data', no, base64: btoa(text) })
  const { run, files } = fold([
    ...[file(0, 1e15), data(0, 'huge'), file(1, 4), data(1, 'whole'), file(2, 4), data(2, 'part')],
    ...[file(3, 8), data(3, 'part'), file(4, 2, `${'n'.repeat(250)}.png`), data(4, 'no')],
  ])
  assert.deepEqual(
    files.map(({ name, content }) => [name.replace(/n+/, 'n'), Buffer.from(content).toString()]),
    [
      ['2-a.txt', 'part'],
      ['4-n.png', 'no'],
    ],
  )
  assert.equal(run.leftOut, true)
})

test('what the next run is brought lies where it came from', () => {
  const file = (no: number, name: string): ScriptEvent[] => [
    { is: 'file', no, role: 'cache', name, contentType: 'x', bytes: 2, test: null, retry: 0 },
    { is: 'data', no, base64: btoa('it') },
  ]
  const { cache, run } = fold([
    ...['.cache/playwright/0a/b.js', '.cache/playwright/../../x', '/etc/passwd', 'script.spec.ts'].flatMap((name, no) =>
      file(no, name),
    ),
  ])
  assert.deepEqual([...cache.keys()], ['.cache/playwright/0a/b.js'])
  assert.deepEqual(run.assets, [])
})
