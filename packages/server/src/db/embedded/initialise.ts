import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Binaries } from './binaries.ts'
import type { Credentials } from './credentials.ts'
import { type DataDirectory, makePrivate } from './data-directory.ts'
import { renameDurably } from './durable-file.ts'
import { engineEnvironment } from './postmaster.ts'

const UNFINISHED = '.unfinished-'

/** The major version of the engine that made the database in this directory; undefined: there is none. */
export async function databaseVersion(directory: DataDirectory): Promise<string | undefined> {
  const version = await readFile(join(directory.database, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return version?.trim()
}

/** Makes an empty database beside its place and moves it there when it is whole: an interrupted start leaves none. */
export async function initialiseDatabase(
  directory: DataDirectory,
  binaries: Binaries,
  credentials: Credentials,
  durable: boolean,
): Promise<void> {
  await removeUnfinished(directory)
  // A name of its own: the `initdb` of a start that was killed may still be running, and must not write to this one.
  const unfinished = `${directory.database}${UNFINISHED}${randomUUID()}`
  await makePrivate(unfinished, directory.user)
  const database = join(unfinished, 'database')
  const passwordFile = join(unfinished, 'password')
  await writeFile(passwordFile, credentials.password, { mode: 0o600 })
  if (directory.user) await chown(passwordFile, directory.user.uid, directory.user.gid)

  await run(binaries.initdb, directory, [
    `--pgdata=${database}`,
    `--username=${credentials.user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ])
  await renameDurably(database, directory.database)
  await removeUnfinished(directory)
}

async function removeUnfinished(directory: DataDirectory): Promise<void> {
  const start = `${basename(directory.database)}${UNFINISHED}`
  for (const name of await readdir(directory.path)) {
    if (name.startsWith(start)) {
      await rm(join(directory.path, name), { recursive: true, force: true, maxRetries: 10 })
    }
  }
}

async function run(program: string, directory: DataDirectory, options: string[]): Promise<void> {
  const child = spawn(program, options, {
    ...directory.user,
    cwd: '/',
    env: engineEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', (error) => reject(cannotRun(program, error)))
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  const [complaints, outcome] = await Promise.all([text(child.stderr), ended])
  if (outcome !== 0) {
    throw new Error(`PostgreSQL could not make a database in ${directory.path} (${outcome}): ${complaints.trim()}`)
  }
}

/** A program that is there and yet "not found" lacks its loader: it was built for another C library. */
function cannotRun(program: string, error: Error): Error {
  return new Error(
    `This system cannot run the embedded PostgreSQL (${program}; on Linux it needs glibc): set DATABASE_URL instead`,
    { cause: error },
  )
}
