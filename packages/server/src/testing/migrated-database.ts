import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import { migrateDatabase } from '../db/migrate.ts'
import { testDatabase } from './database.ts'

const MIGRATIONS = new URL('../db/migrations/', import.meta.url)

/** The URL of a database of one's own that is up to date. */
export async function migratedDatabase(t: TestContext): Promise<string> {
  const names = (await readdir(MIGRATIONS)).sort()
  const files = await Promise.all(names.map((name) => readFile(new URL(name, MIGRATIONS))))
  return testDatabase(t, {
    name: createHash('sha256').update(Buffer.concat(files)).digest('hex'),
    async build(url) {
      await migrateDatabase(url)
    },
  })
}
