import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { after, type TestContext } from 'node:test'
import pg from 'pg'
import { migrateDatabase } from '../db/migrate.ts'
import { createDatabase } from './database.ts'

const MIGRATIONS = new URL('../db/migrations/', import.meta.url)

interface Pooled {
  url: string
  drop(): Promise<void>
}

/** Making a database costs more than most tests: those of one file use the same one after each other. */
const free: Pooled[] = []
const all: Pooled[] = []

after(async () => {
  // An engine that this file has started itself may have ended; the next one drops what it finds.
  for (const { drop } of all) await drop().catch(() => undefined)
})

/**
 * The URL of a database that is up to date and empty but for the locations. Give back what uses it in a hook of the
 * test that was registered before.
 */
export async function migratedDatabase(t: TestContext): Promise<string> {
  const database = free.pop() ?? (await createMigratedDatabase())
  if (!all.includes(database)) all.push(database)
  await empty(database.url)
  t.after(() => {
    free.push(database)
  })
  return database.url
}

/** One that is up to date, for whoever sees to its end. */
export async function createMigratedDatabase(): Promise<Pooled> {
  const names = (await readdir(MIGRATIONS)).sort()
  const files = await Promise.all(names.map((name) => readFile(new URL(name, MIGRATIONS))))
  return createDatabase({
    name: createHash('sha256').update(Buffer.concat(files)).digest('hex'),
    async build(url) {
      await migrateDatabase(url)
    },
  })
}

async function empty(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in ('migrations', 'locations')`)
    await client.query(rows.map(({ name }) => `delete from ${name}`).join(';'))
  } finally {
    await client.end()
  }
}
