/** The connection to PostgreSQL. */
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** Where the database is: a URL, or what the embedded engine hands out. */
export type Connection = string | { host: string; port?: number; user: string; password: string; database: string }

export interface Database {
  db: Db
  pool: pg.Pool
  /** A connection of its own, for LISTEN. */
  connect(): Promise<pg.Client>
  close(): Promise<void>
}

// Counters and milliseconds since 1970 stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export function openDatabase(connection: Connection, onIdleError: (error: Error) => void, max = 20): Database {
  const where = typeof connection === 'string' ? { connectionString: connection } : connection
  const settings = { ...where, application_name: 'vedette', statement_timeout: 15_000 }
  const pool = new pg.Pool({ ...settings, max, connectionTimeoutMillis: 5000, idleTimeoutMillis: 60_000 })
  // Without a listener, a server restart that cuts an idle connection would end this process.
  pool.on('error', onIdleError)
  // The pool listens to idle clients only; one that is cut in use fails its query, and must not do more.
  pool.on('connect', (client) => client.on('error', onIdleError))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
  return {
    db,
    pool,
    async connect() {
      const client = new pg.Client({ ...settings, statement_timeout: undefined, keepAlive: true })
      await client.connect()
      return client
    },
    close: () => db.destroy(),
  }
}

const PREPARED = /^\s*\/\* prepared: ([\w-]+) \*\//

/**
 * Statements that begin with the comment `prepared: name` are planned once a connection instead of every time. It pays
 * for the few that run many times a second; the others are better off with a plan for their very parameters.
 */
function preparing(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      // With a callback: the promise that the driver would give keeps the rows of a statement from the collector until
      // those of the next are gone, one after the other, so that each of its turns takes 20 times as long.
      const query = (text: string, values: readonly unknown[]) => {
        const name = PREPARED.exec(text)?.[1]
        const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) }
        return new Promise((resolve, reject) => {
          client.query(statement, (error, result) => (error ? reject(error) : resolve(result)))
        })
      }
      return Object.create(client, { query: { value: query } })
    },
    end: () => pool.end(),
  }
}
