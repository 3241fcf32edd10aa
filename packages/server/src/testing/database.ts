import { createHash, randomBytes } from 'node:crypto'
import { after, type TestContext } from 'node:test'
import pg from 'pg'
import { startTestEngine, type TestEngine } from './engine.ts'

export interface DatabaseTemplate {
  /** One for each content: what is built once is reused under this name as long as the engine lives. */
  name: string
  /** Fills an empty database, given its URL. It must close its connections. */
  build(url: string): Promise<void>
}

/**
 * The URL of a database of one's own on a real PostgreSQL, dropped when the test ends. It is empty, or a copy of a
 * template (say, one with all migrations applied), which costs a fraction of building it again.
 *
 * `npm test` starts one engine for all files and says where in TEST_DATABASE_URL. A file that is run by hand starts its
 * own and stops it at its end.
 */
export async function testDatabase(t: TestContext, template?: DatabaseTemplate): Promise<string> {
  const { url, drop } = await createDatabase(template)
  t.after(drop)
  return url
}

/** As `testDatabase`, for whoever sees to its end. */
export async function createDatabase(template?: DatabaseTemplate): Promise<{ url: string; drop(): Promise<void> }> {
  const engine = await engineUrl()
  const source = template ? await templateDatabase(engine, template) : 'template0'
  const name = `test_${randomBytes(8).toString('hex')}`
  await execute(engine, `CREATE DATABASE ${name} TEMPLATE ${source}`)
  return {
    url: withDatabase(engine, name),
    drop: () => execute(engine, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** Builds under a name of its own and renames, so that a template is complete or absent. */
async function templateDatabase(engine: string, template: DatabaseTemplate): Promise<string> {
  const name = `template_${createHash('sha256').update(template.name).digest('hex').slice(0, 16)}`
  await withClient(engine, async (client) => {
    // Other test files want the same template at the same moment.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount !== 0) return
    await client.query(`DROP DATABASE IF EXISTS ${name}_new WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${name}_new TEMPLATE template0`)
    await template.build(withDatabase(engine, `${name}_new`))
    await client.query(`ALTER DATABASE ${name}_new RENAME TO ${name}`)
  })
  return name
}

let ownEngine: Promise<TestEngine> | undefined

after(async () => {
  await (await ownEngine)?.stop()
})

async function engineUrl(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  ownEngine ??= startTestEngine()
  return (await ownEngine).url
}

async function execute(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement))
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

function withDatabase(engine: string, name: string): string {
  return engine.replace(/\/[^/?]*(?=\?|$)/, `/${name}`)
}
