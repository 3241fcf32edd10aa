/** Starts the product on an engine of its own and fills it with checks, for benchmarks. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Db, openDatabase } from '../packages/server/src/db/database.ts'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded-postgres.ts'

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

/** Checks that run every 10 seconds each, spread evenly over the next 10 seconds. */
export async function addChecks(pool: pg.Pool, count: number, target: string): Promise<void> {
  const settings = {
    request: {
      method: 'GET',
      url: target,
      followRedirects: true,
      skipSSL: true,
      ipFamily: 'IPv4',
      body: '',
      bodyType: 'NONE',
      headers: [],
      queryParameters: [],
      assertions: [
        { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200', property: '', regex: '' },
        { source: 'JSON_BODY', comparison: 'EQUALS', target: 'Ada', property: '$.user.name', regex: '' },
      ],
      basicAuth: null,
    },
    frequency: 0,
    frequencyOffset: 10,
    locations: ['eu-west-1'],
    privateLocations: [],
    degradedResponseTime: 5000,
    maxResponseTime: 20000,
    description: null,
    runParallel: false,
    doubleCheck: false,
    shouldFail: false,
    runtimeId: null,
    triggerIncident: null,
    alertSettings: null,
    useGlobalAlertSettings: true,
    retryStrategy: null,
  }
  await pool.query(
    `with made as (
       insert into checks (account_id, kind, name, activated, muted, tags, settings, effective_activated, effective_muted,
         effective_tags, effective_settings, created_at)
       select a.id, 'API', 'bench ' || n, true, false, '{}', $1::jsonb, true, false, '{}', $1::jsonb, now() - interval '2 seconds' + n * interval '10 seconds' / $2
       from accounts a, generate_series(1, $2::int) n returning no, created_at),
     states as (insert into check_states (check_no) select no from made)
     insert into schedule (check_no, location_no, parallel, due_at)
     select made.no, l.no, false, made.created_at + interval '2 seconds' from made, locations l where l.slug = 'eu-west-1'`,
    [JSON.stringify(settings), count],
  )
}

export async function removeChecks(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from checks`)
}

export interface Target {
  url: string
  stop(): void
}

export async function startTarget(protocol: 'http' | 'https'): Promise<Target> {
  const child = fork(fileURLToPath(new URL('./target.ts', import.meta.url)), [protocol])
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message: { port: number }) => resolve(message.port)),
  )
  return { url: `${protocol}://127.0.0.1:${port}/`, stop: () => child.disconnect() }
}

export interface BareFigures {
  done: number
  failed: number
  /** Microseconds. */
  cpuUsPerRequest: number
}

export function bareRequests(url: string, rate: number, seconds: number): Promise<BareFigures> {
  const child = fork(fileURLToPath(new URL('./bare-requests.ts', import.meta.url)), [
    url,
    String(rate),
    String(seconds),
  ])
  return new Promise((resolve) => child.once('message', (message: BareFigures) => resolve(message)))
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
