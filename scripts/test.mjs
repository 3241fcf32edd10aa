// Everything that must hold: types, format, import directions, tests, and the conformance tests where they are at hand.
//
//   npm test                           all of it
//   npm test -- --no-static            without types, format and import directions
//   npm test -- --static               only these
//   npm test -- server/src/db          only the test files whose path contains this
//   npm test -- conformance            only the conformance tests
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { chmod, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded-postgres.ts'
import { startTestEngine } from '../packages/server/src/testing/engine.ts'

const CONCURRENCY = 2
const BROWSERS = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium']
/** To load the server takes longer than most of its tests: those of many files are run in one process. */
const SHARING = ['packages/core/', 'packages/schema/', 'packages/server/', 'packages/web/', 'scripts/']
const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
// Hundreds of test files load the same sources.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compiled')
// Where nobody asks for many cases, or for others, properties try the same ones each time.
if (process.env.FUZZ_RUNS === undefined) process.env.FUZZ_SEED ??= '20261122'
process.env.PATH = [join(root, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const conformanceDir = process.env.CONFORMANCE_DIR

const total = { passed: 0, failed: 0, skipped: 0 }
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort())

const temporary = await mkdtemp('/tmp/vedette-run-')
await chmod(temporary, 0o711) // root's database runs as another user, who must get to its files
try {
  if (filters.length === 0 && !flags.includes('--no-static')) await staticChecks()
  if (!flags.includes('--static')) await packageTests()
  if (!flags.includes('--static') && conformanceDir && (filters.length === 0 || filters.includes('conformance')))
    await conformanceTests(conformanceDir)
} catch (error) {
  total.failed += 1
  console.error(stopping.signal.aborted ? 'Interrupted' : error)
} finally {
  await rm(temporary, { recursive: true, force: true, maxRetries: 10 })
}

if (flags.includes('--static') && total.failed === 0) process.exit()
if (total.passed + total.failed === 0) console.error('No tests ran')
if (total.failed > 0 || total.passed === 0) process.exitCode = 1
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)

/** A check that holds is not a test that passed, but one that does not hold is a failure. */
async function staticChecks() {
  const projects = globSync(['packages/*/tsconfig*.json', 'tests/tsconfig.json']).sort()
  for (const project of projects) {
    const folder = dirname(project)
    if (globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ['**/node_modules'] }).length === 0) continue
    await hold(`types of ${project}`, 'node_modules/typescript/bin/tsc', ['-p', project])
  }
  await hold('format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '.'])
  await hold('import directions', 'scripts/check-imports.mjs', [])
}

async function hold(what, script, args) {
  const code = await run(process.execPath, [script, ...args])
  if (code === 0) return
  total.failed += 1
  console.error(`✖ ${what}`)
}

async function packageTests() {
  const files = globSync(['packages/**/src/**/*.test.ts', 'tests/**/*.test.ts', 'scripts/**/*.test.{mjs,ts}'], {
    exclude: ['**/node_modules', '**/dist'],
  })
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .sort()
  if (files.length === 0) return

  const env = { ...process.env, ...(needBrowser(files) ? { TEST_BROWSER: await testBrowser() } : {}) }
  const engine = await startTestEngine()
  try {
    const seeded = ['--import', join(root, 'scripts', 'property-seed.mjs')]
    const runJob = (job) => runTests([...seeded, ...job], { ...env, TEST_DATABASE_URL: engine.url })
    // Whoever breaks the product mostly waits for it to come back: that can be done beside all else.
    const breaking = files.filter((file) => file.startsWith(join('tests', 'faults')))
    const others = files.filter((file) => !breaking.includes(file))
    const waiting = jobsOf(others)
    const lane = async () => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await runJob(job)
    }
    const breakingThings = breaking.length > 0 ? runJob(['--test-concurrency=1', ...breaking]) : null
    await Promise.all([breakingThings, ...Array.from({ length: CONCURRENCY }, lane)])
  } finally {
    await engine.stop({ forget: true })
  }
}

/** Those that start processes or browsers of their own have one each, and come first: they take longest. */
function jobsOf(files) {
  const sharing = files.filter((file) => SHARING.some((folder) => file.startsWith(folder)))
  const alone = files.filter((file) => !sharing.includes(file))
  return [
    ...partsOf(alone, 6).map((part) => ['--test-concurrency=1', ...part]),
    ...partsOf(sharing, 25).map((part) => ['--test-isolation=none', ...part]),
  ]
}

function partsOf(files, size) {
  const parts = []
  for (let from = 0; from < files.length; from += size) parts.push(files.slice(from, from + size))
  return parts
}

/** Runs a server as a user would, and the tests of the API against it. */
async function conformanceTests(directory) {
  const server = await startServer()
  const failedBefore = total.failed
  try {
    for (const file of globSync('*.test.mjs', { cwd: directory }).sort()) {
      const env = { ...process.env, BASE_URL: server.url, API_KEY: server.apiKey }
      await runTests(['--test-concurrency=1', join(directory, file)], env)
    }
  } finally {
    await server.stop()
    if (total.failed > failedBefore) console.error(`The server said:\n${await server.output()}`)
  }
}

async function runTests(args, env) {
  const counts = join(temporary, `${randomUUID()}.json`)
  const reporters = [
    ['--test-reporter=spec', '--test-reporter-destination=stdout'],
    [`--test-reporter=${join(root, 'scripts', 'count-reporter.mjs')}`, `--test-reporter-destination=${counts}`],
  ]
  const code = await run(process.execPath, ['--test', ...reporters.flat(), ...args], env)
  const {
    passed = 0,
    failed = 0,
    cancelled = 0,
    skipped = 0,
    todo = 0,
  } = JSON.parse((await readFile(counts, 'utf8').catch(() => '')) || '{}')
  total.passed += passed
  total.failed += failed + cancelled
  total.skipped += skipped + todo
  if (code !== 0 && failed + cancelled === 0) total.failed += 1 // it did not even get to a count
}

async function startServer() {
  const port = await freePort()
  const apiKey = randomBytes(24).toString('base64url')
  const dataDir = join(temporary, 'data')
  await rm(dataDir, { recursive: true, force: true })
  const log = await open(join(temporary, 'server.log'), 'w')
  const child = spawn(process.execPath, ['packages/cli/src/main.ts', 'start'], {
    stdio: ['ignore', log.fd, log.fd],
    env: {
      ...process.env,
      DATABASE_URL: '',
      PORT: String(port),
      DATA_DIR: dataDir,
      INITIAL_API_KEY: apiKey,
      RATE_LIMIT: '0',
      CHANNEL_MESSAGES_PER_MINUTE: '0',
      INITIAL_ACCOUNT_ID: randomUUID(),
    },
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await log.close()

  const server = {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    output: async () => (await readFile(join(temporary, 'server.log'), 'utf8')).split('\n').slice(-60).join('\n'),
    async stop() {
      child.kill('SIGTERM')
      const late = delay(30_000, 'late', { ref: false })
      if ((await Promise.race([exited, late])) === 'late') {
        total.failed += 1
        console.error('✖ the server did not stop within 30 s')
        child.kill('SIGKILL')
        await exited
      }
      // Whatever became of the server, its database must not be left running.
      if (existsSync(join(dataDir, 'postgresql')))
        await (await startEmbeddedPostgres({ dataDir, log: () => {} })).stop()
    },
  }
  const deadline = Date.now() + 60_000
  for (;;) {
    const answer = await fetch(`${server.url}/health`).catch(() => undefined)
    if (answer?.ok) return server
    if (child.exitCode !== null || Date.now() > deadline || stopping.signal.aborted) {
      await server.stop()
      throw new Error(`The server did not become ready:\n${await server.output()}`)
    }
    await delay(100)
  }
}

async function freePort() {
  const probe = createServer()
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** The tests that open pages are those of `tests/web`. */
function needBrowser(files) {
  return files.some((file) => file.includes(join('tests', 'web')))
}

/** Half of a browser does for tests, and takes half the time: the shell without a window, where there is one. */
async function testBrowser() {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH !== undefined) return CHROMIUM_PATH
  const installed = () => BROWSERS.find((path) => existsSync(path))
  if (installed() === undefined && process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.error('Installing Chromium')
    const quiet = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    if ((await run('apt-get', ['update', '-qq'], quiet)) === 0) {
      await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet)
    }
  }
  const path = installed()
  if (path !== undefined) return path
  throw new Error('The browser tests need Chromium: install it, and set CHROMIUM_PATH if it is not /usr/bin/chromium')
}

/** Runs a program with our output as its own; answers with its exit code. */
async function run(command, args, env = process.env) {
  stopping.signal.throwIfAborted()
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  const end = () => child.kill('SIGTERM')
  stopping.signal.addEventListener('abort', end)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    stopping.signal.removeEventListener('abort', end)
  }
}
