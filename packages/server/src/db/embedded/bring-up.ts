import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import type { Credentials } from './credentials.ts'
import { type DataDirectory, isSocketDirectory, makeSocketDirectory, SOCKET_NAME } from './data-directory.ts'
import { logSize, readFrom } from './log-file.ts'
import { findPostmaster, isRunning, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts'
import { ask, connectionTo } from './readiness.ts'
import { engineSettings } from './settings.ts'

/** A database, and all it takes to run an engine on it. */
export interface Cluster {
  directory: DataDirectory
  binaries: Binaries
  credentials: Credentials
  durable: boolean
  log(line: string): void
}

const POLL_MS = 25
/** For an engine that does not answer at all, or cannot start while the remains of the last one are still about. */
const PATIENCE_MS = 60_000
/** For an engine that says that it is recovering or shutting down. */
const BUSY_PATIENCE_MS = 600_000

/** How PostgreSQL puts it that processes of a killed postmaster are still at work on the database. */
const REMAINS = /is still in use|already exists/

/**
 * Answers with an engine that takes connections: the one that runs on the database already, otherwise a new one.
 * `socketDir` is where the engine was before, and its clients expect it again.
 */
export async function bringUp(
  cluster: Cluster,
  options: { socketDir?: string; signal?: AbortSignal } = {},
): Promise<Postmaster> {
  const { directory, log } = cluster
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    options.signal?.throwIfAborted()
    const found = await findPostmaster(directory)
    if (found && isSocketDirectory(directory, found.socketDir)) {
      log(`Adopting the PostgreSQL that is running on ${directory.path} (pid ${found.pid})`)
      if (await becomesReady(cluster, found, options.signal)) return found
      continue
    }
    if (found) await stopPostmaster(directory, found) // its socket is nowhere that we would have put it

    const logged = await logSize(directory.log)
    const started = await startAnew(cluster, options.socketDir)
    if (await becomesReadyOrStop(cluster, started, options.signal)) return started

    const said = (await readFrom(directory.log, logged)).trim()
    if (!REMAINS.test(said) || Date.now() > deadline) {
      throw new Error(`PostgreSQL does not start on ${directory.path}: ${said.split('\n').slice(-5).join('\n')}`)
    }
    await delay(POLL_MS * 10)
  }
}

async function startAnew(cluster: Cluster, formerSocketDir: string | undefined): Promise<Postmaster> {
  const { directory, binaries, durable } = cluster
  const socketDir = await makeSocketDirectory(directory, formerSocketDir)
  // Left by a killed engine; its number may belong to another process by now, which PostgreSQL would believe in.
  await rm(join(socketDir, `${SOCKET_NAME}.lock`), { force: true })
  return startPostmaster(directory, binaries, socketDir, engineSettings({ socketDir, durable }))
}

async function becomesReadyOrStop(cluster: Cluster, started: Postmaster, signal?: AbortSignal): Promise<boolean> {
  try {
    return await becomesReady(cluster, started, signal)
  } catch (error) {
    // One that is recovering is left at it: the next start finds it further on.
    if (!(error instanceof StillBusy)) await stopPostmaster(cluster.directory, started)
    throw error
  }
}

class StillBusy extends Error {}

/** Waits until an engine takes connections; false when it ended instead. */
async function becomesReady(cluster: Cluster, postmaster: Postmaster, signal?: AbortSignal): Promise<boolean> {
  const { directory, credentials, log } = cluster
  const name = `PostgreSQL (pid ${postmaster.pid}) of the data directory ${directory.path}`
  const connection = connectionTo(postmaster.socketDir, credentials)
  const beganAt = Date.now()
  let lastSignAt = beganAt
  let toldAt = beganAt
  for (;;) {
    signal?.throwIfAborted()
    const answer = await ask(connection)
    if (answer === 'ready') return true
    if (!(await isRunning(directory, postmaster))) return false

    const now = Date.now()
    if (answer === 'busy') lastSignAt = now
    if (now - lastSignAt > PATIENCE_MS) throw new Error(`${name} is running but does not answer`)
    if (now - beganAt > BUSY_PATIENCE_MS) throw new StillBusy(`${name} is still recovering: try again later`)
    if (now - toldAt > 10_000) {
      toldAt = now
      log(`Still waiting for PostgreSQL to ${answer === 'busy' ? 'finish recovering or shutting down' : 'answer'}`)
    }
    await delay(POLL_MS)
  }
}
