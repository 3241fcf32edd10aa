import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import type { DataDirectory } from './data-directory.ts'
import { openLog } from './log-file.ts'
import { commandLine, signal } from './processes.ts'

/** The engine's first process, which starts all its others. */
export interface Postmaster {
  pid: number
  socketDir: string
}

/** All that the engine's processes get to see of our environment: nothing. */
export const engineEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const POLL_MS = 50

/**
 * The postmaster that runs on a database, if one does. Its pid file may have outlived it and name a process of somebody
 * else by now, so the process itself is asked what it is. Such a misleading file is removed: PostgreSQL would take the
 * stranger for a postmaster and refuse to start. That is safe, for it also looks for shared memory still in use.
 */
export async function findPostmaster(directory: DataDirectory): Promise<Postmaster | undefined> {
  const pidFile = join(directory.database, 'postmaster.pid')
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!(pid > 1)) return undefined
  const command = await commandLine(pid)
  if (command === undefined) return undefined
  if (command.includes(databaseArgument(directory))) return { pid, socketDir: lines[4] ?? '' }
  await rm(pidFile, { force: true })
  return undefined
}

/**
 * Starts the engine. It gets a session of its own and a file to log to, so that it lives through the death of this
 * process and through a Ctrl-C in the terminal; whoever comes next finds it by its pid file.
 */
export async function startPostmaster(
  directory: DataDirectory,
  binaries: Binaries,
  socketDir: string,
  settings: Record<string, string>,
): Promise<Postmaster> {
  const log = await openLog(directory.log)
  try {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(binaries.postgres, ['-D', directory.database, ...options], {
      ...directory.user,
      cwd: '/',
      env: engineEnvironment,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    await once(child, 'spawn')
    child.unref()
    if (child.pid === undefined) throw new Error('PostgreSQL has no process id')
    return { pid: child.pid, socketDir }
  } finally {
    await log.close()
  }
}

/** Whether this very postmaster lives: not just any process of its number. */
export async function isRunning(directory: DataDirectory, postmaster: Postmaster): Promise<boolean> {
  const command = await commandLine(postmaster.pid)
  return command?.includes(databaseArgument(directory)) ?? false
}

/** Ends the engine: by a fast shutdown; should that hang, at once, which costs the next start a recovery. */
export async function stopPostmaster(directory: DataDirectory, postmaster: Postmaster): Promise<void> {
  for (const [name, patienceMs] of [
    ['SIGINT', 60_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!(await isRunning(directory, postmaster))) return
    signal(postmaster.pid, name)
    const deadline = Date.now() + patienceMs
    while (Date.now() < deadline) {
      if (!(await isRunning(directory, postmaster))) return
      await delay(POLL_MS)
    }
  }
  throw new Error(`PostgreSQL (pid ${postmaster.pid}) of the data directory ${directory.path} cannot be stopped`)
}

/** How the command line of a postmaster says which database it runs on. */
function databaseArgument(directory: DataDirectory): string {
  return ` -D ${directory.database} -c `
}
