import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { scrubFile } from './scrub-file.ts'
import { fileScrubber } from './scrub-files.ts'

const CANARY = 'canary/1"ü 3'
const scrub = fileScrubber([CANARY])
const never = new AbortController().signal
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...strToU8('canary')])

/** As targets and Playwright write it. */
const spellings = [
  CANARY,
  JSON.stringify(CANARY).slice(1, -1),
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString('base64'),
  Buffer.from(`Basic user:${CANARY}`).toString('base64'),
  Buffer.from(CANARY).toString('hex'),
]
const TRACES = /canary|Y2FuYXJ5|63616e617279/i

test('no spelling of a secret stays in a text, or in bytes that are no text', () => {
  for (const spelling of spellings) {
    assert.doesNotMatch(strFromU8(scrub(strToU8(`before ${spelling} after`))), TRACES, spelling)
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(spelling), Buffer.from([0xc0, 0])])
    const clean = Buffer.from(scrub(bytes))
    assert.doesNotMatch(clean.toString('latin1'), TRACES, spelling)
    assert.deepEqual([...clean.subarray(0, 3), ...clean.subarray(-2)], [0xff, 0xfe, 0x80, 0xc0, 0])
  }
})

test('secrets are taken out of whatever is in an archive, by name and by content', () => {
  const archive = zipSync({
    'trace.trace': strToU8(spellings.map((text) => JSON.stringify({ text })).join('\n')),
    '0-trace.network': strToU8(`{"headers":[{"name":"authorization","value":"Bearer ${CANARY}"}]}`),
    'resources/abc.dat': strToU8(spellings.join(' ')),
    [`resources/${CANARY}.txt`]: strToU8('nothing'),
    'resources/page.png': png,
  })
  const clean = unzipSync(scrub(archive))
  assert.equal(Object.keys(clean).length, 5)
  for (const [name, content] of Object.entries(clean)) {
    assert.doesNotMatch(name, TRACES)
    if (name !== 'resources/page.png') assert.doesNotMatch(strFromU8(content), TRACES, name)
  }
  assert.deepEqual(clean['resources/page.png'], png)
  assert.match(strFromU8(clean['0-trace.network'] ?? strToU8('')), /Bearer \*{8}/)
})

test('what holds no secret stays byte for byte as it is', () => {
  const archive = zipSync({ 'trace.trace': strToU8('{"a":1}'), 'resources/page.png': png })
  for (const file of [archive, strToU8('plain text'), Uint8Array.from([1, 2, 255]), png])
    assert.equal(scrub(file), file)
})

test('an archive that cannot be read, or holds too much, is refused', async () => {
  const archive = zipSync({ 'trace.trace': strToU8('a'.repeat(1000)) })
  assert.throws(() => scrub(archive.subarray(0, 40)))
  const bomb = zipSync(Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [String(at), new Uint8Array()])))
  assert.throws(() => scrub(bomb), /too much/)
  await assert.rejects(scrubFile(archive.subarray(0, 40), ['secret'], never))
})

test('what is much work is done beside the thread, with the same result, and given up when time is up', async () => {
  const large = zipSync({ 'trace.trace': strToU8(`${'x'.repeat(1_000_000)}${CANARY}`) })
  const clean = unzipSync(await scrubFile(large, [CANARY], never))
  assert.match(strFromU8(clean['trace.trace'] ?? strToU8('')), /x\*{8}$/)
  await assert.rejects(scrubFile(large, [CANARY], AbortSignal.abort()), /no time/)
})
