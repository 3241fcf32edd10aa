import { rmdir } from 'node:fs/promises'
import { prepareBinaries } from './binaries.ts'
import { bringUp, type Cluster } from './bring-up.ts'
import { loadOrCreateCredentials } from './credentials.ts'
import { type DataDirectory, openDataDirectory, SYSTEM_STATE_DIR } from './data-directory.ts'
import { lockDirectory } from './directory-lock.ts'
import { databaseVersion, initialiseDatabase } from './initialise.ts'
import { trimLog } from './log-file.ts'
import { isRunning, stopPostmaster } from './postmaster.ts'
import { connectionTo, type EmbeddedConnection } from './readiness.ts'
import { supervise } from './supervise.ts'

export interface EmbeddedOptions {
  dataDir: string
  log(line: string): void
  /** False only for tests: faster, and what was written is lost when the machine crashes. */
  durable?: boolean
}

export interface EmbeddedPostgres {
  /** Stays the same when the engine has to be started again. */
  connection: EmbeddedConnection
  /** Stops the engine, cutting the connections to it, and gives the data directory back. */
  stop(): Promise<void>
}

const TRIM_LOG_EVERY_MS = 60_000

/**
 * Starts the PostgreSQL that comes with Vedette on a data directory, or adopts the one that a killed server left
 * running there, and keeps it running until it is stopped.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = await openDataDirectory(options.dataDir)
  const lock = await lockDirectory(directory.path)
  try {
    const cluster = await openCluster(directory, options)
    let postmaster = await bringUp(cluster)
    const { socketDir } = postmaster

    const supervision = supervise({
      log: options.log,
      isRunning: () => isRunning(directory, postmaster),
      async restart(signal) {
        postmaster = await bringUp(cluster, { socketDir, signal })
      },
    })
    const trimming = setInterval(() => {
      trimLog(directory.log).catch((error: unknown) => options.log(`Cannot trim ${directory.log}: ${String(error)}`))
    }, TRIM_LOG_EVERY_MS).unref()

    return {
      connection: connectionTo(socketDir, cluster.credentials),
      async stop() {
        clearInterval(trimming)
        await supervision.end()
        await stopPostmaster(directory, postmaster)
        await rmdir(socketDir).catch(() => {}) // not empty after a hard end: the next start tidies up
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Gets everything ready that lies on the disk, making the database if there is none. */
async function openCluster(directory: DataDirectory, { log, durable = true }: EmbeddedOptions): Promise<Cluster> {
  const binaries = await prepareBinaries({
    mustCopy: directory.user !== undefined,
    copyTo: directory.user ? [SYSTEM_STATE_DIR, directory.path] : [directory.path],
  })
  const version = await databaseVersion(directory)
  if (version !== undefined && version !== binaries.major) {
    throw new Error(
      `The data directory ${directory.path} was made by PostgreSQL ${version}, but this Vedette brings PostgreSQL ` +
        `${binaries.major}: start the Vedette that made it, dump the database there and restore it here`,
    )
  }
  const credentials = await loadOrCreateCredentials(directory.path, version !== undefined)
  if (version === undefined) {
    log(`Making a database in ${directory.path}`)
    await initialiseDatabase(directory, binaries, credentials, durable)
  }
  return { directory, binaries, credentials, durable, log }
}
