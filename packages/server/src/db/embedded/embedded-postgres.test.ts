import assert from 'node:assert/strict'
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { canReach } from './engine-user.ts'
import { commandLine, isAlive, signal } from './processes.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }

const directories = new Set<string>()

// Engines outlive whoever started them: a test run that is interrupted must not leave them behind.
process.once('SIGTERM', () => {
  for (const path of directories) {
    const pidFile = join(path, 'postgresql', 'postmaster.pid')
    if (existsSync(pidFile)) signal(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT')
  }
  process.exit(143)
})

async function freshDirectory(t: TestContext): Promise<string> {
  const path = await mkdtemp('/tmp/vedette-test-')
  directories.add(path)
  t.after(async () => {
    const left = await postmasterPid(path)
    if (left !== undefined && (await isPostmaster(left, path))) {
      signal(left, 'SIGQUIT')
      await until(async () => !(await isPostmaster(left, path)))
    }
    await rm(path, { recursive: true, force: true, maxRetries: 10 })
    directories.delete(path)
  })
  return path
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, 'the condition was not met in time')
    await delay(20)
  }
}

async function postmasterPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgresql', 'postmaster.pid'), 'utf8').catch(() => '')
  return text === '' ? undefined : Number.parseInt(text, 10)
}

async function isPostmaster(pid: number, dataDir: string): Promise<boolean> {
  return (await commandLine(pid))?.includes(dataDir) ?? false
}

async function query(connection: pg.ClientConfig | string, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows[0] ?? {}
  } finally {
    await client.end()
  }
}

/** Starts a server in a process of its own and answers with what it said first. */
async function startProcess(t: TestContext, dataDir: string, options: SpawnOptions = {}) {
  const fixture = fileURLToPath(new URL('server-process.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [fixture, dataDir], { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  const firstLine = once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(String(line)))
  return { child, firstLine }
}

async function end(child: ChildProcess, how: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(how)
  await exited
}

const log = () => {}

test('the first start makes a private database, without a network address', async (t) => {
  const dataDir = await freshDirectory(t)
  const engine = await startEmbeddedPostgres({ dataDir, log })
  const settings = await query(
    engine.connection,
    `SELECT current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync,
       current_setting('data_checksums') AS checksums, current_setting('TimeZone') AS zone,
       (SELECT datlocale || ' ' || pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()) AS locale`,
  )
  assert.deepEqual(settings, { addresses: '', fsync: 'on', checksums: 'on', zone: 'UTC', locale: 'C.UTF-8 UTF8' })

  const mode = async (path: string) => ((await stat(join(dataDir, path))).mode & 0o777).toString(8)
  assert.equal(await mode('.'), isRoot ? '711' : '700')
  assert.equal(await mode('postgresql'), '700')
  assert.equal(await mode('run'), '700')
  assert.equal(await mode('credentials.json'), '600')
  await assert.rejects(query({ ...engine.connection, password: 'guessed' }, 'SELECT'), /password authentication failed/)
  await engine.stop()
})

test('it can be reached by a URL too', async (t) => {
  const engine = await startEmbeddedPostgres({ dataDir: await freshDirectory(t), log, durable: false })
  const { user, password, host, database } = engine.connection
  const url = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}`
  assert.deepEqual(await query(url, 'SELECT current_database() AS name'), { name: 'vedette' })
  await engine.stop()
})

test('stopping leaves nothing running, and the next start finds what was written', async (t) => {
  const dataDir = await freshDirectory(t)
  const first = await startEmbeddedPostgres({ dataDir, log })
  await query(first.connection, 'CREATE TABLE kept AS SELECT 1 AS number')
  const pid = await postmasterPid(dataDir)
  assert.ok(pid)
  await first.stop()
  assert.equal(isAlive(pid), false)
  assert.deepEqual(await readdir(join(dataDir, 'run')).catch(() => []), [])

  const second = await startEmbeddedPostgres({ dataDir, log })
  assert.deepEqual(await query(second.connection, 'SELECT number FROM kept'), { number: 1 })
  await second.stop()
})

test('the engine of a killed server is adopted, not started again', async (t) => {
  const dataDir = await freshDirectory(t)
  const { child, firstLine } = await startProcess(t, dataDir)
  await firstLine
  const pid = await postmasterPid(dataDir)
  assert.ok(pid)
  await end(child, 'SIGKILL')

  const engine = await startEmbeddedPostgres({ dataDir, log })
  assert.equal(await postmasterPid(dataDir), pid)
  await query(engine.connection, 'SELECT')
  await engine.stop()
  assert.equal(await isPostmaster(pid, dataDir), false)
})

test('an engine that is shutting down when its server dies is waited for', async (t) => {
  const dataDir = await freshDirectory(t)
  const { child, firstLine } = await startProcess(t, dataDir)
  const connection = await firstLine
  await query(connection, 'CREATE TABLE kept AS SELECT n FROM generate_series(1, 200000) n')
  const pid = await postmasterPid(dataDir)
  assert.ok(pid)
  await end(child, 'SIGKILL')
  signal(pid, 'SIGINT')

  const engine = await startEmbeddedPostgres({ dataDir, log })
  await until(async () => (await postmasterPid(dataDir)) !== pid)
  await until(() =>
    query(engine.connection, 'SELECT count(*)::int AS n FROM kept').then(
      ({ n }) => n === 200_000,
      () => false,
    ),
  )
  await engine.stop()
})

test('the engine runs in a session of its own, out of reach of a Ctrl-C', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const dataDir = await freshDirectory(t)
  const engine = await startEmbeddedPostgres({ dataDir, log, durable: false })
  const pid = await postmasterPid(dataDir)
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  assert.deepEqual(fields.slice(2, 4), [String(pid), String(pid)], 'process group and session')
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '') // root without all rights may not
  assert.doesNotMatch(environment, /HOME=|npm_/)
  await engine.stop()
})

test('an engine that is killed is started again, with all that was committed', async (t) => {
  const dataDir = await freshDirectory(t)
  const lines: string[] = []
  const engine = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) })
  await query(engine.connection, 'CREATE TABLE kept AS SELECT 1 AS number')
  // A client that is busy outlives its postmaster for a moment, and holds the shared memory.
  const busy = query(engine.connection, 'SELECT pg_sleep(0.5)').catch(() => {})
  const pid = await postmasterPid(dataDir)
  assert.ok(pid)
  signal(pid, 'SIGKILL')
  await busy
  await until(() =>
    query(engine.connection, 'SELECT number FROM kept').then(
      ({ number }) => number === 1,
      () => false,
    ),
  )
  assert.notEqual(await postmasterPid(dataDir), pid)
  assert.match(lines.join('\n'), /ended unexpectedly/)
  await engine.stop()
})

test('of two servers that start on one directory at once, one is refused', async (t) => {
  const dataDir = await freshDirectory(t)
  const processes = await Promise.all([startProcess(t, dataDir), startProcess(t, dataDir)])
  const said = await Promise.all(processes.map(({ firstLine }) => firstLine))
  const winner = processes[said.findIndex((words) => 'host' in words)]
  const refusals = said.flatMap((words) => ('refused' in words ? [words.refused] : []))
  assert.ok(winner)
  assert.deepEqual(refusals, [`The data directory ${dataDir} is in use by another Vedette (pid ${winner.child.pid})`])

  await end(winner.child, 'SIGKILL')
  const next = await startEmbeddedPostgres({ dataDir, log })
  await next.stop()
})

test('a pid file that names a stranger does not mislead', async (t) => {
  const dataDir = await freshDirectory(t)
  await (await startEmbeddedPostgres({ dataDir, log, durable: false })).stop()
  const stranger = spawn('sleep', ['60'], isRoot ? NOBODY : {})
  t.after(() => stranger.kill())
  const pidFile = [stranger.pid, join(dataDir, 'postgresql'), 1, 5432, join(dataDir, 'run'), '', '1 1', 'ready', '']
  await writeFile(join(dataDir, 'postgresql', 'postmaster.pid'), pidFile.join('\n'))

  const engine = await startEmbeddedPostgres({ dataDir, log, durable: false })
  await query(engine.connection, 'SELECT')
  await engine.stop()
  assert.equal(stranger.exitCode ?? stranger.signalCode, null, 'the stranger is left alone')
})

test('a first start that was killed half-way is begun anew', async (t) => {
  const dataDir = await freshDirectory(t)
  const { child, firstLine } = await startProcess(t, dataDir)
  firstLine.catch(() => {})
  await until(async () => (await readdir(dataDir)).some((name) => name.includes('unfinished')))
  await end(child, 'SIGKILL')

  const engine = await startEmbeddedPostgres({ dataDir, log })
  await query(engine.connection, 'SELECT')
  await engine.stop()
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.includes('unfinished')),
    [],
  )
})

test('a database of another major version is refused in one sentence', async (t) => {
  const dataDir = await freshDirectory(t)
  await mkdir(join(dataDir, 'postgresql'))
  await writeFile(join(dataDir, 'postgresql', 'PG_VERSION'), '17\n')
  await assert.rejects(
    startEmbeddedPostgres({ dataDir, log }),
    /was made by PostgreSQL 17, but this Vedette brings PostgreSQL 18/,
  )
})

test('a long path gets its socket elsewhere, in a folder as private', async (t) => {
  const parent = await freshDirectory(t)
  await chmod(parent, 0o755)
  const dataDir = join(parent, 'long'.repeat(30))
  const engine = await startEmbeddedPostgres({ dataDir, log, durable: false })
  assert.match(engine.connection.host, /^\/tmp\/vedette-\w+$/)
  assert.equal((await stat(engine.connection.host)).mode & 0o777, 0o700)
  await query(engine.connection, 'SELECT')
  await engine.stop()
  await assert.rejects(stat(engine.connection.host), /ENOENT/)
})

test('root is told when the engine could not get into the directory', { skip: !isRoot }, async (t) => {
  const parent = await freshDirectory(t)
  await chmod(parent, 0o700)
  await assert.rejects(
    startEmbeddedPostgres({ dataDir: join(parent, 'data'), log }),
    /user \d+, who cannot get into the data directory/,
  )
})

test('an ordinary user runs it as itself', { skip: !isRoot || !canReach(NOBODY, import.meta.dirname) }, async (t) => {
  const dataDir = await freshDirectory(t)
  await chown(dataDir, NOBODY.uid, NOBODY.gid)
  const { child, firstLine } = await startProcess(t, dataDir, { ...NOBODY, env: {} })
  const connection = await firstLine
  assert.equal((await stat(connection.host)).uid, NOBODY.uid)
  assert.deepEqual(await query(connection, 'SELECT 1 AS number'), { number: 1 })
  await end(child, 'SIGTERM')
  assert.equal(await postmasterPid(dataDir), undefined)
})
