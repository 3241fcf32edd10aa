import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Entry, tarOf } from '../testing/tar.ts'
import { ArchiveCheck } from './check-archive.ts'
import { ArchiveProblem, type TarEntry, TarReader } from './tar-reader.ts'

/** In pieces that end wherever they end. */
function read(tar: Buffer, pieces: readonly number[] = []): TarEntry[] {
  const entries: TarEntry[] = []
  const reader = new TarReader((entry) => entries.push(entry))
  let at = 0
  for (const length of pieces) {
    reader.write(tar.subarray(at, at + length))
    at += length
  }
  reader.write(tar.subarray(at))
  reader.end()
  return entries
}

const names = fc
  .string({ unit: fc.constantFrom('a', 'b', 'ü', '€', ' ', '.', '-', '𝄞'), minLength: 1, maxLength: 60 })
  .filter((name) => !['.', '..'].includes(name))
const paths = fc.array(names, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('/'))
const anEntry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ path: paths, body: fc.uint8Array({ maxLength: 2000 }) }),
  fc.record({ path: paths.map((path) => `${path}/`), type: fc.constant('5') }),
  fc.record({ path: paths, type: fc.constant('2'), target: paths }),
)
const pieces = fc.array(fc.integer({ min: 0, max: 1500 }), { maxLength: 20 })

test('what is packed is read, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(anEntry, { maxLength: 8 }), pieces, (entries, lengths) => {
      assert.deepEqual(
        read(tarOf(entries), lengths),
        entries.map(({ path, type, body = '', target = '' }): TarEntry => {
          if (type === '2') return { is: 'link', path, size: 0, target }
          return { is: type === '5' ? 'folder' : 'file', path, size: body.length }
        }),
      )
    }),
  )
})

test('whatever comes, it is read or refused as an archive, and what is taken stays in its folder', () => {
  const wild = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(
        fc.array(
          fc.oneof(
            anEntry,
            fc.record({ path: fc.string(), type: fc.string({ minLength: 1, maxLength: 1 }), target: fc.string() }),
          ),
          {
            maxLength: 6,
          },
        ),
        fc.integer({ min: 0, max: 4000 }),
        fc.integer({ min: 0, max: 255 }),
      )
      .map(([entries, at, byte]) => {
        const tar = tarOf(entries)
        if (at < tar.length) tar[at] = byte
        return tar
      }),
  )
  fc.assert(
    fc.property(wild, (tar) => {
      const check = new ArchiveCheck()
      try {
        check.write(tar)
        check.end()
      } catch (error) {
        assert.ok(error instanceof ArchiveProblem, String(error))
        return
      }
      for (const entry of read(tar)) {
        assert.ok(!entry.path.startsWith('/') && !entry.path.split('/').includes('..'))
        assert.notEqual(entry.is, 'other')
      }
    }),
    { numRuns: 500 },
  )
})

for (const format of ['gnu', 'ustar', 'pax', 'v7']) {
  test(`what tar writes is read: ${format}`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-tar-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const long = format === 'gnu' || format === 'pax' ? 'l'.repeat(120) : 'short'
    mkdirSync(join(folder, 'tests', long), { recursive: true })
    writeFileSync(join(folder, 'tests', long, 'a.spec.ts'), 'x'.repeat(700))
    writeFileSync(join(folder, 'b.ts'), '')
    symlinkSync(`tests/${long}/a.spec.ts`, join(folder, 'link'))
    const { stdout, status } = spawnSync('tar', ['-c', `--format=${format}`, '-C', folder, '--sort=name', '.'])
    assert.equal(status, 0)
    assert.deepEqual(
      read(stdout).map(({ is, path, size }) => [is, path, size]),
      [
        ['folder', './', 0],
        ['file', './b.ts', 0],
        ['link', './link', 0],
        ['folder', './tests/', 0],
        ['folder', `./tests/${long}/`, 0],
        ['file', `./tests/${long}/a.spec.ts`, 700],
      ],
    )
    const check = new ArchiveCheck()
    check.write(stdout)
    assert.equal(check.end(), 3)
  })
}
