import pg from 'pg'
import type { Credentials } from './credentials.ts'
import { errorCode } from './errors.ts'

/** The one database in the engine. */
export const DATABASE = 'vedette'

/** As `pg` takes it. */
export interface EmbeddedConnection {
  /** The folder of the unix socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

export function connectionTo(socketDir: string, credentials: Credentials): EmbeddedConnection {
  return { host: socketDir, port: 5432, ...credentials, database: DATABASE }
}

/** What an engine says when it accepts no connections: it is starting, recovering or shutting down. Or it has no more. */
const BUSY = new Set(['57P03', '53300'])
const WRONG_PASSWORD = '28P01'

/**
 * Tries the engine by using it: does it let us in, and is there our database? On the very first start there is none yet;
 * then it is made.
 */
export async function ask(connection: EmbeddedConnection): Promise<'ready' | 'busy' | 'silent'> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5_000 })
  client.on('error', () => {}) // an engine that dies under the question: the query fails too
  try {
    await client.connect()
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [connection.database])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(connection.database)}`)
    return 'ready'
  } catch (error) {
    const code = errorCode(error)
    if (code === WRONG_PASSWORD)
      throw new Error('PostgreSQL refuses the password in credentials.json', { cause: error })
    return code !== undefined && BUSY.has(code) ? 'busy' : 'silent'
  } finally {
    await client.end().catch(() => {})
  }
}
