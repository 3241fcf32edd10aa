import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lockDirectory } from './directory-lock.ts'

test('a directory is locked once at a time, and free again when released', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'vedette-lock-'))
  t.after(() => rm(directory, { recursive: true }))
  const first = await lockDirectory(directory)
  await assert.rejects(lockDirectory(directory), {
    message: `The data directory ${directory} is in use by another Vedette (pid ${process.pid})`,
  })
  await first.release()
  const second = await lockDirectory(directory)
  await second.release()
})
