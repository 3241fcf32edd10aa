/** Starts the product on an engine of its own and fills it with checks, for benchmarks. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { routes } from '../packages/schema/src/index.ts'
import { type Db, openDatabase } from '../packages/server/src/db/database.ts'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded-postgres.ts'
import { LOCATION, type NewCheck } from './bench-checks.ts'
import { pause } from './pace.ts'

const MAIN = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))
export const API_KEY = 'cu_00000000000000000000000000000000'

export interface Installation {
  url: string
  pool: pg.Pool
  /** The same database, for the server's own functions. */
  db: Db
  /** The processes whose use counts: server, runner, database. */
  server: number
  postmaster: number
  output(): string
  stop(): Promise<void>
}

export async function startInstallation(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vedette-bench-'))
  const engine = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const { host, port, user, password, database } = engine.connection
  const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const child = spawn(process.execPath, [MAIN, 'start'], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      INITIAL_API_KEY: API_KEY,
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '0',
      CHANNEL_MESSAGES_PER_MINUTE: '0',
      // Its check would be one more than are counted.
      SELF_WATCH: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const collect = (chunk: Buffer) => {
    printed += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  while (!printed.includes('Stop: ')) {
    if (child.exitCode !== null) {
      await engine.stop()
      throw new Error(printed)
    }
    await pause(50)
  }
  const url = /listens at (\S+)/.exec(printed)?.[1] ?? ''
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  const opened = openDatabase(databaseUrl, () => {}, 2)
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const stat = await readFile(`/proc/${rows[0]?.pid}/stat`, 'utf8')
  return {
    url,
    pool,
    db: opened.db,
    server: child.pid ?? 0,
    postmaster: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]),
    output: () => printed,
    async stop() {
      await pool.end()
      await opened.close()
      await ended(child)
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await exit
}

/** When checks fall due for the first time: spread over so many seconds, the first of them after so many. */
interface FirstRuns {
  startsIn: number
  over: number
}

/**
 * Checks that are spread evenly over 10 seconds unless told otherwise. The API makes one; all are copies of what it
 * stored, made by the database because there are many.
 */
export async function addChecks(
  { url, pool }: Installation,
  check: NewCheck,
  count: number,
  { startsIn, over }: FirstRuns = { startsIn: 0, over: 10 },
): Promise<void> {
  const response = await fetch(url + routes.createCheck.path, {
    method: routes.createCheck.method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(check),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`A check was not made: ${text}`)
  const { id }: { id: string } = JSON.parse(text)
  const made = await pool.query(
    `with made as (
       insert into checks (account_id, kind, name, activated, muted, tags, settings, effective_activated, effective_muted,
         effective_tags, effective_settings, created_at)
       select account_id, kind, 'bench ' || n, activated, muted, tags, settings, effective_activated, effective_muted,
         effective_tags, effective_settings, now() - interval '2 seconds' + n * $4::float8 * interval '1 second' / $2
       from checks, generate_series(1, $2::int) n
       where id = $1 and sealed is null and effective_sealed is null returning no, created_at),
     states as (insert into check_states (check_no) select no from made)
     insert into schedule (check_no, location_no, parallel, due_at)
     select made.no, l.no, false, made.created_at + (2 + $5::float8) * interval '1 second' from made, locations l where l.slug = $3`,
    [id, count, LOCATION, over, startsIn],
  )
  await pool.query('delete from checks where id = $1', [id])
  if (made.rowCount !== count)
    throw new Error(`${made.rowCount} of ${count} checks of kind ${check.checkType} were made.`)
}

export async function removeChecks(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from checks`)
}
