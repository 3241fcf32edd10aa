import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { completeLibraries, prepareBinaries } from './binaries.ts'

async function freshDirectory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'vedette-binaries-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

test('links that an install script did not make are made, by several processes at once too', async (t) => {
  const directory = await freshDirectory(t)
  await mkdir(join(directory, 'native', 'lib'), { recursive: true })
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  await writeFile(join(directory, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  assert.deepEqual(await Promise.all([completeLibraries(directory), completeLibraries(directory)]), [true, true])
  assert.equal(await completeLibraries(directory), true)
  assert.equal(await readlink(join(directory, 'native', 'lib', 'libpq.so.5')), 'libpq.so.5.18')
})

test('a copy is made once, works, and leaves nothing unfinished behind', async (t) => {
  const directory = await freshDirectory(t)
  const options = { mustCopy: true, copyTo: ['/dev/null/nowhere', directory] }
  const [first, second] = await Promise.all([prepareBinaries(options), prepareBinaries(options)])
  assert.equal(first.postgres, second.postgres)
  assert.deepEqual(await readdir(directory), [`postgresql-${first.version}`])
  const { stdout } = await promisify(execFile)(first.postgres, ['--version'])
  assert.match(stdout, new RegExp(`^postgres \\(PostgreSQL\\) ${first.major}\\.`))
})
