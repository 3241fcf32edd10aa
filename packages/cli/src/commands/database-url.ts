/** `vedette database-url`: how to reach the database, for backups and other tools. */
import { databaseUrlOf, readConfig } from '@vedette/server'
import type { Command } from '../command.ts'

export const databaseUrl: Command = {
  summary: 'Print the URL of the running database, password included.',
  help: `Usage: vedette database-url

For tools such as pg_dump: pg_dump "$(npx vedette database-url)". It takes DATA_DIR or DATABASE_URL as start does.
`,
  async run() {
    process.stdout.write(`${await databaseUrlOf(readConfig(process.env))}\n`)
    return 0
  },
}
