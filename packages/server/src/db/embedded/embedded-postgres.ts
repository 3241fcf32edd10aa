import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, prepareBinaries } from './binaries.ts'
import { type Credentials, loadOrCreateCredentials } from './credentials.ts'
import { type DataDirectory, makeSocketDirectory, openDataDirectory, SYSTEM_STATE_DIR } from './data-directory.ts'
import { lockDirectory } from './directory-lock.ts'
import { errorCode } from './errors.ts'
import { databaseVersion, initialiseDatabase } from './initialise.ts'
import { lastLines } from './log-file.ts'
import { findPostmaster, isRunning, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts'
import { engineSettings } from './settings.ts'
import { supervise } from './supervise.ts'

export interface EmbeddedPostgres {
  connection: EmbeddedConnection
  /** Stops the engine and gives the data directory back. Connections to it are cut. */
  stop(): Promise<void>
}

/** As `pg` takes it. */
export interface EmbeddedConnection {
  /** The folder of the unix socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface EmbeddedOptions {
  dataDir: string
  log(line: string): void
  /** False only for tests: faster, and whatever was written is lost when the machine crashes. */
  durable?: boolean
}

const DATABASE = 'vedette'
const POLL_MS = 25
/** For an engine that does not answer at all, or that cannot start since the remains of the last one are still about. */
const PATIENCE_MS = 60_000
/** For an engine that says that it is recovering, or shutting down. */
const RECOVERY_PATIENCE_MS = 600_000

/**
 * Starts the PostgreSQL that comes with Vedette on a data directory, or adopts the one that a killed server left
 * running there. From then on it is kept running until `stop`.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = await openDataDirectory(options.dataDir)
  const lock = await lockDirectory(directory.path)
  try {
    const engine = await prepareEngine(directory, options)
    const supervision = supervise({
      log: options.log,
      logFile: directory.log,
      isRunning: () => isRunning(directory, engine.postmaster),
      async restart() {
        engine.postmaster = await startUntilReady(engine)
      },
    })
    return {
      connection: { ...engine.credentials, host: engine.socketDir, port: 5432, database: DATABASE },
      async stop() {
        await supervision.end()
        await stopPostmaster(directory, engine.postmaster)
        await engine.removeSocketDir()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface Engine {
  directory: DataDirectory
  binaries: Binaries
  credentials: Credentials
  socketDir: string
  removeSocketDir(): Promise<void>
  settings: Record<string, string>
  postmaster: Postmaster
}
