/** `vedette migrate`: brings a database of one's own up to date without starting the server. */
import { migrateDatabase, readConfig } from '@vedette/server'
import type { Command } from '../command.ts'

export const migrate: Command = {
  summary: 'Bring the database that DATABASE_URL names up to date.',
  help: `Usage: DATABASE_URL=postgres://… vedette migrate

The server does the same at every start; this command is for those who do it apart from that.
`,
  async run() {
    const { databaseUrl } = readConfig(process.env)
    if (databaseUrl === undefined) {
      process.stderr.write('DATABASE_URL must be set. The embedded database is brought up to date by vedette start.\n')
      return 2
    }
    const applied = await migrateDatabase(databaseUrl)
    process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`)
    return 0
  },
}
