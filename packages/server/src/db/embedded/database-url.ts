/** Where the embedded engine can be reached while it runs, for tools such as `pg_dump`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOrCreateCredentials } from './credentials.ts'
import { connectionTo } from './readiness.ts'

/** @throws Error in one sentence when no engine runs on the data directory. */
export async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  // The fifth line of the engine's own file is its socket directory. Source: PostgreSQL's miscadmin.h.
  const file = await readFile(join(dataDir, 'postgresql', 'postmaster.pid'), 'utf8').catch(() => '')
  const socketDir = file.split('\n')[4]
  if (socketDir === undefined || socketDir === '') {
    throw new Error(`No database is running in ${dataDir}. Start Vedette first, or name its directory with DATA_DIR.`)
  }
  const { host, port, user, password, database } = connectionTo(socketDir, await loadOrCreateCredentials(dataDir, true))
  return `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
