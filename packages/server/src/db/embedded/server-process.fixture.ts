/** A process that does what a server does with the engine: start it, use it until SIGTERM, stop it. For tests to kill. */
import { startEmbeddedPostgres } from './embedded-postgres.ts'

// It lives no longer than the test that started it.
process.stdin.on('end', () => process.exit(1)).resume()

try {
  const engine = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: () => {} })
  process.on('SIGTERM', () => {
    engine.stop().then(() => process.exit(0))
  })
  console.log(JSON.stringify(engine.connection))
} catch (error) {
  console.log(JSON.stringify({ refused: error instanceof Error ? error.message : String(error) }))
  process.exit(1)
}
