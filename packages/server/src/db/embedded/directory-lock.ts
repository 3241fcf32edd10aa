import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from './processes.ts'

export interface DirectoryLock {
  release(): Promise<void>
}

/** A dying holder may take a moment to be gone; a new one, to write down its number. */
const GRACE_MS = 2_000
const SQLITE_BUSY = 5

/**
 * Takes the data directory for this process, for as long as it lives.
 *
 * The lock must vanish with its holder, however that dies, so the kernel has to hold it. Node itself offers no file
 * locks, but the SQLite inside Node does: an exclusive transaction is an `fcntl` lock on the file. Unlike a pid file it
 * cannot outlive its process; unlike a socket it follows the file, so containers that share the directory exclude each
 * other too; unlike `flock` it is not inherited by child processes, so the PostgreSQL that survives a killed server
 * does not keep the next one out. The file stays empty and must never be opened in another way by the process that
 * holds it: closing any descriptor of it would drop the lock. That is why the pid is in a file of its own.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const pidFile = join(directory, 'server.pid')
  const deadline = Date.now() + GRACE_MS
  for (;;) {
    const held = tryLock(join(directory, 'server.lock'))
    if (held) {
      await rm(pidFile, { force: true }) // may be another user's, who was killed
      await writeFile(pidFile, `${process.pid}\n`, { mode: 0o644 })
      return {
        async release() {
          await rm(pidFile, { force: true })
          held.close()
        },
      }
    }
    const holder = await readPid(pidFile)
    if ((holder !== undefined && isAlive(holder)) || Date.now() > deadline) {
      const known = holder === undefined ? '' : ` (pid ${holder})`
      throw new Error(`The data directory ${directory} is in use by another Vedette${known}`)
    }
    await delay(20)
  }
}

function tryLock(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw error
  }
}

async function readPid(path: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)
  return Number.isNaN(pid) ? undefined : pid
}
