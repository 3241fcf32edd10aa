// `npm start`, `npm test`, `npm run test:fuzz`, `npm run test:faults`, `npm run bench` and `npm run docs`: gets a checkout ready (packages, web
// files, Node 24), then runs it. Needs nothing but the Node and npm that are there, so it is written for Node 20 and has no
// dependencies.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants as osConstants, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR = 24
/** What scripts can import unless they ask for another runtime. */
const RUNTIME = join('packages', 'runner', 'runtimes', '2025.04')
const programs = {
  start: ['packages/cli/src/main.ts', 'start'],
  test: ['scripts/test.mjs'],
  fuzz: ['scripts/test.mjs', 'tests/fuzz', 'core/src/json-path-compliance', 'core/src/cron', 'core/src/alert-model'],
  faults: ['scripts/test.mjs', 'tests/faults'],
  bench: ['bench/main.ts'],
  docs: ['scripts/docs/main.ts'],
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const inRoot = (...parts) => join(root, ...parts)

main(process.argv[2], process.argv.slice(3))

function main(command, args) {
  const program = programs[command]
  if (!program) fail(`Usage: node scripts/bootstrap.mjs <${Object.keys(programs).join('|')}> [arguments]`)
  installPackages()
  installRuntime()
  const node = findNode() ?? installNode()
  // Whoever runs just some tests is in the middle of something.
  const chosenTests =
    command === 'fuzz' ||
    command === 'faults' ||
    (command === 'test' && args.some((argument) => !argument.startsWith('--')))
  if (command === 'fuzz') process.env.FUZZ_RUNS ??= '1000000'
  if (command === 'faults') process.env.FAULT_ROUNDS ??= '200'
  if (!chosenTests && command !== 'docs') buildWeb(node)
  run(node, [inRoot(program[0]), ...program.slice(1), ...args])
}

// Packages

function installPackages() {
  const lockFile = inRoot('package-lock.json')
  const lock = readText(lockFile)
  const stamp = hash(lock)
  const stampFile = inRoot('node_modules', '.vedette-install')
  if (existsSync(inRoot('node_modules')) && (readText(stampFile) === stamp || isInstalled(lock))) {
    return writeIfAllowed(stampFile, stamp)
  }
  say('Installing packages')
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error']
  const done = lock !== '' && npm(['ci', ...quiet])
  // A lock file that is missing or does not fit must not keep anyone from starting; it is left as it is.
  if (!done && !npm(['install', '--no-package-lock', ...quiet])) {
    fail('The packages could not be installed: see what npm says above.')
  }
  writeIfAllowed(stampFile, stamp)
}

/** Without it only checks that run scripts do not run, and say so. */
function installRuntime() {
  const folder = inRoot(RUNTIME)
  const stamp = hash(readText(join(folder, 'package-lock.json')))
  const stampFile = join(folder, 'node_modules', '.vedette-install')
  if (readText(stampFile) === stamp) return
  say('Installing the packages of scripts')
  if (npm(['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], folder))
    writeIfAllowed(stampFile, stamp)
  else say('They could not be installed: checks with scripts of browsers and of several steps will not run.')
}

/** Whether someone ran npm by hand: what npm noted about node_modules is what the lock file asks for. */
function isInstalled(lock) {
  const wanted = parse(lock).packages ?? {}
  const present = parse(readText(inRoot('node_modules', '.package-lock.json'))).packages
  if (!present) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true // ours
    return present[path] ? present[path].version === entry.version : entry.optional === true
  })
}

function npm(args, cwd = root) {
  const own = process.env.npm_execpath
  const [command, ...before] = own?.endsWith('.js') ? [process.execPath, own] : ['npm']
  const result = spawnSync(command, [...before, ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: npmEnvironment(),
  })
  if (result.error?.code === 'ENOENT') fail('npm was not found: install Node 20 or newer together with npm.')
  return result.status === 0
}

/** npm wants a home directory for its cache; some service users have none. */
function npmEnvironment() {
  const { HOME } = process.env
  if (HOME && canWrite(HOME)) return process.env
  const home = join(tmpdir(), `vedette-npm-${process.getuid?.() ?? 0}`)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  return { ...process.env, HOME: home, npm_config_cache: join(home, 'cache') }
}

// Node

function findNode() {
  if (majorOf(process.version) >= NODE_MAJOR) return process.execPath
  const installed = inRoot('node_modules', 'node', 'bin', 'node')
  const { stdout } = spawnSync(installed, ['--version'], { encoding: 'utf8' })
  return majorOf(stdout ?? '') >= NODE_MAJOR ? installed : undefined
}

/** The npm package `node` brings Node in an install script, which may not have run. */
function installNode() {
  say(`Installing Node ${NODE_MAJOR}`)
  if (npm(['rebuild', 'node', '--ignore-scripts=false']) && findNode()) return findNode()
  const folder = inRoot('node_modules', 'node')
  if (existsSync(folder)) {
    spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
      cwd: folder,
      stdio: 'inherit',
      env: npmEnvironment(),
    })
  }
  return (
    findNode() ??
    fail(
      `Vedette needs Node ${NODE_MAJOR} or newer, this is ${process.version}, and npm could not install it: see https://nodejs.org`,
    )
  )
}

function majorOf(version) {
  return Number.parseInt(version.replace(/^v/, ''), 10) || 0
}

// Web files

function buildWeb(node) {
  if (!existsSync(inRoot('packages', 'web', 'vite.config.ts'))) return
  const stampFile = inRoot('packages', 'web', 'dist', '.vedette-build')
  const stamp = hashOfSources(['packages/web', 'packages/schema'])
  if (readText(stampFile) === stamp) return
  const vite = [inRoot('packages', 'web', 'node_modules'), inRoot('node_modules')]
    .map((folder) => join(folder, 'vite', 'bin', 'vite.js'))
    .find(existsSync)
  if (!vite) fail('vite is not installed, so the web files cannot be built: run npm install.')
  say('Building the web files')
  const cwd = inRoot('packages', 'web')
  const options = { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: withNode(node) }
  if (spawnSync(node, [vite, 'build', '--logLevel', 'warn'], options).status !== 0) {
    fail('The web files could not be built: see above.')
  }
  writeIfAllowed(stampFile, stamp)
}

function hashOfSources(folders) {
  const sum = createHash('sha256')
  for (const folder of folders) {
    for (const path of filesBelow(inRoot(folder))) sum.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  return sum.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist' && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
    })
}

// Running

function run(node, args) {
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: withNode(node) })
  child.once('error', (error) => fail(`${node} could not be run: ${error.message}`))
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (osConstants.signals[signal] ?? 0)
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to the child as well.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
}

/** With our Node as the one that programs find. */
function withNode(node) {
  return { ...process.env, PATH: [dirname(node), process.env.PATH ?? '/usr/bin:/bin'].join(delimiter) }
}

// Small things

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function parse(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** A checkout may belong to somebody else; not to remember only costs time. */
function writeIfAllowed(path, text) {
  try {
    if (readText(path) !== text) writeFileSync(path, text)
  } catch {}
}

function canWrite(path) {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex')
}

function say(line) {
  console.error(line)
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
