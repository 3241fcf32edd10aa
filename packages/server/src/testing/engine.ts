import { createHash } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'

export interface TestEngine {
  url: string
  /** Stops the engine; with `forget`, its files are deleted too. */
  stop(options?: { forget: boolean }): Promise<void>
}

/**
 * A real PostgreSQL for tests: quick, because nothing it writes has to survive. It uses the first directory of this
 * checkout that no other test run is using, and so inherits and tidies up what a killed run left behind.
 */
export async function startTestEngine(): Promise<TestEngine> {
  const uid = process.getuid?.() ?? 0
  const checkout = createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 12)
  const parent = `/tmp/vedette-test-${uid}-${checkout}`
  await mkdir(parent, { recursive: true, mode: 0o755 })
  if ((await stat(parent)).uid !== uid) throw new Error(`${parent} belongs to another user`)

  for (let place = 1; ; place += 1) {
    const dataDir = join(parent, String(place))
    try {
      const engine = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false })
      const { user, password, host, database } = engine.connection
      await dropLeftovers(engine.connection)
      return {
        url: `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}`,
        async stop({ forget } = { forget: false }) {
          await engine.stop()
          if (forget) await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
        },
      }
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('is in use by another Vedette')) throw error
    }
  }
}

async function dropLeftovers(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const found = await client.query<{ name: string }>(
      "SELECT quote_ident(datname) AS name FROM pg_database WHERE datname ~ '^test_[0-9a-f]{16}$'",
    )
    for (const { name } of found.rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
  } finally {
    await client.end()
  }
}
