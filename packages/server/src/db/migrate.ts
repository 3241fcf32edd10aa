/** Brings the database to this version's schema: numbered SQL files, each in its own transaction, in order. */
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const FOLDER = new URL('./migrations/', import.meta.url)
/** Any fixed number: two servers that start together take turns by it. */
const MIGRATION_LOCK = 7_283_301

/**
 * Applies what is missing and returns the names of the files applied.
 *
 * @throws Error when the database was made by a newer version.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map((row) => row.name))
    const unknown = [...applied].filter((name) => !files.includes(name))
    if (unknown.length > 0) {
      throw new Error(`The database is newer than this version of Vedette: it has ${unknown.join(', ')}.`)
    }
    const missing = files.filter((name) => !applied.has(name))
    for (const name of missing) await apply(client, name)
    return missing
  } finally {
    // Closing the connection gives the lock back, whatever happened before.
    client.release(true)
  }
}

async function apply(client: pg.PoolClient, name: string): Promise<void> {
  const statements = await readFile(new URL(name, FOLDER), 'utf8')
  await client.query('begin')
  try {
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query(statements)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed.`, { cause: error })
  }
}

/** Brings the database at a URL up to date. */
export async function migrateDatabase(url: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  try {
    return await migrate(pool)
  } finally {
    await pool.end()
  }
}
