/** Where the data of this installation is. */
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'
import { defaultDataDir } from './db/embedded/data-directory.ts'
import { embeddedDatabaseUrl } from './db/embedded/database-url.ts'

/** The directory of the embedded engine, and of the key file. */
export function dataDirOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  return dataDir ?? defaultDataDir({ isRoot: process.getuid?.() === 0, cwd: root })
}

/** A URL with which tools reach the database. @throws Error when the embedded engine is not running. */
export async function databaseUrlOf(config: Config): Promise<string> {
  return config.databaseUrl ?? embeddedDatabaseUrl(dataDirOf(config))
}
