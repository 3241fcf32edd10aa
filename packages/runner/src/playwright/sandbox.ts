/** How a process that runs Playwright is started: what it sees, and what it may use up. */

import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { chown, copyFile, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ScriptEngine } from '@vedette/schema'
import type { GroupLimits } from '../scripts/control-group.ts'
import { FILTER_FD, type Launch, userApart, type Way } from '../scripts/isolation.ts'
import { seccompFilter } from '../scripts/seccomp.ts'
import type { Browsers } from './browsers.ts'
import { TEMPLATE_FLAGS } from './inside/template-flags.ts'
import { NODE_FLAGS } from './node-flags.ts'
import { OWN_WAY_OUT } from './primer.ts'
import { BUNDLE_NAME } from './run-files.ts'

const INSIDE = fileURLToPath(new URL('./inside', import.meta.url))
const MEBIBYTE = 1024 * 1024

/** What a run may use up. What it writes is kept in memory: it is gone with its process. */
interface Limits extends GroupLimits {
  /** For its heap; the rest is for what it starts. */
  heapMb: number
  jobBytes: number
  scratchBytes: number
  sharedMemoryBytes: number
}
const LIMITS: { readonly [K in 'suite' | 'pages' | 'requests']: Limits } = {
  suite: {
    bytes: 6963 * MEBIBYTE,
    tasks: 1024,
    processors: 4,
    heapMb: 1024,
    jobBytes: 1024 * MEBIBYTE,
    scratchBytes: 512 * MEBIBYTE,
    sharedMemoryBytes: 512 * MEBIBYTE,
  },
  pages: {
    bytes: 2765 * MEBIBYTE,
    tasks: 512,
    processors: 2,
    heapMb: 1024,
    jobBytes: 512 * MEBIBYTE,
    scratchBytes: 256 * MEBIBYTE,
    sharedMemoryBytes: 256 * MEBIBYTE,
  },
  requests: {
    bytes: 768 * MEBIBYTE,
    tasks: 64,
    processors: 1,
    heapMb: 512,
    jobBytes: 128 * MEBIBYTE,
    scratchBytes: 64 * MEBIBYTE,
    sharedMemoryBytes: 16 * MEBIBYTE,
  },
}
export const limitsOf = ({ hasPages, bundle }: { hasPages: boolean; bundle?: string | null }): Limits =>
  LIMITS[bundle != null ? 'suite' : hasPages ? 'pages' : 'requests']
const limitsIn = ({ browsers, bundle }: Place) => limitsOf({ hasPages: browsers !== null, bundle })

/** What a run sees of the system: libraries and programs, fonts, certificates. Nothing that an operator has put there. */
const SYSTEM = [
  ...['/usr/bin', '/usr/lib', '/usr/lib64', '/usr/share', '/bin', '/lib', '/lib64'],
  ...['/etc/fonts', '/etc/ssl', '/etc/ca-certificates', '/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime'],
  // Or each browser reads all fonts when it starts.
  '/var/cache/fontconfig',
]

/** Where things are inside; the folder of a run is the same for all, so that what is made of its files can be used again. */
const PLACES = {
  // Wherever it is outside: no folder that is made for a run may hide it.
  node: '/usr/local/bin/node',
  inside: '/inside',
  modules: '/node_modules',
  browsers: '/browsers',
  socket: '/run/egress.sock',
  job: '/job',
  compiled: '/compiled',
  runs: '/runs',
}

export interface Place {
  engine: ScriptEngine
  /** Of the runtime. */
  modules: string
  /** Null: a run without pages. */
  browsers: Browsers | null
  /** Whether a browser can make its own sandbox in there. */
  nests: boolean
  /** Of this run alone: the socket of its way out, and what it writes where it has no root of its own. */
  folder: string
  /** Code that was compiled before; null: there is none. */
  compiled: CompiledPlace | null
  /** The archive of a suite, which is seen in the folder of its job; null for other scripts. */
  bundle: string | null
}

export interface CompiledPlace {
  folder: string
  /** Whether this is the one process that fills it, and runs no script of anybody. There is no way out for it. */
  isFilled: boolean
}

export const socketIn = (folder: string) => join(folder, 'egress.sock')

/** What the main program inside is called with. */
interface Called {
  engine: ScriptEngine
  job: string
  modules: string
  browsers: string
  socket: string
  nests: boolean
  /** Empty: there is none. */
  compiled: string
  isFilled: boolean
}
const call = (node: string, main: string, called: Called, heapMb: number) => {
  const { engine, job, modules, browsers, socket, nests, compiled, isFilled } = called
  return [
    ...[node, ...NODE_FLAGS, `--max-old-space-size=${heapMb}`],
    ...(engine === 'forked' ? TEMPLATE_FLAGS : []),
    ...[main, engine, job, modules, browsers, socket, nests ? 'on' : 'off', compiled, isFilled ? 'on' : 'off'],
  ]
}
/** Read by Node.js before anything of ours runs. */
const variablesFor = ({ compiled }: Pick<Called, 'compiled'>): Record<string, string> =>
  compiled === '' ? {} : { NODE_COMPILE_CACHE: compiled }
/** Where such a process serves itself. */
export const ownSocketIn = (temporary: string) => join(temporary, OWN_WAY_OUT)

/** As what its processes run, and where its temporary files go. */
export interface PlaywrightLaunch extends Launch {
  env: Record<string, string>
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export async function launchPlaywright(way: Way, place: Place): Promise<PlaywrightLaunch> {
  const user = way.apart ? userApart() : null
  const { browsers, folder, compiled } = place
  const isFilled = compiled?.isFilled === true
  if (isFilled && user !== null) await chown(compiled.folder, user, user)
  const { tasks, jobBytes, heapMb } = limitsIn(place)
  // For root the kernel does not count, and for users who have other processes it counts those too.
  const ofUser = user === null ? [] : [`--nproc=${tasks}`]
  const limits = ['--core=0', '--nofile=4096', `--fsize=${jobBytes}`, ...ofUser]
  if (way.level === 'strict') {
    const filter = way.filter === null || browsers === null ? way.filter : seccompFilter(process.arch, { nests: true })
    const args = [...limits, 'bwrap', ...emptyRoot(place, filter), ...insideRoot(place)]
    return { command: 'prlimit', args, user, filter, env: { PATH } }
  }
  await furnish(place, user)
  const main = join(INSIDE, 'main.ts')
  const job = join(folder, 'job')
  const temporary = join(folder, 'tmp')
  const called = {
    ...{ ...place, job, isFilled },
    browsers: browsers?.folder ?? '',
    socket: isFilled ? ownSocketIn(temporary) : socketIn(folder),
    compiled: compiled?.folder ?? '',
  }
  const node = call(process.execPath, main, called, heapMb)
  const apartFrom = way.level === 'namespaces' ? NAMESPACES : []
  const args = [...limits, 'setpriv', '--no-new-privs', '--pdeathsig', 'KILL', ...apartFrom, ...node]
  return { command: 'prlimit', args, user, filter: null, env: { PATH, TMPDIR: temporary, ...variablesFor(called) } }
}

/** A process that is forked for runs: each of them makes for itself what differs from this, and what others have of it stays. */
export function launchTemplate({ apart }: Way, place: Place): PlaywrightLaunch {
  const args = ['--core=0', '--nofile=4096', `--fsize=${limitsIn(place).jobBytes}`, 'bwrap']
  const all = [...args, ...emptyRoot(place, null, 'template'), ...insideRoot(place)]
  return { command: 'prlimit', args: all, user: apart ? userApart() : null, filter: null, env: { PATH } }
}

/**
 * A new network has its loopback down, and only root of its namespace can change that. What is run is nobody in a further
 * one: no capability is left, and a browser, which refuses to be root, makes its own sandbox.
 */
const NAMESPACES = [
  ...['unshare', '--user', '--map-root-user', '--net', '--pid', '--mount', '--ipc', '--uts', '--mount-proc'],
  ...['--fork', '--kill-child', 'sh', '-c', 'ip link set lo up 2>/dev/null; exec "$@"', 'sh'],
  ...['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
]

/** As it is in an empty root: packages are found in a folder above that of the job. */
async function furnish({ folder, modules, bundle }: Place, user: number | null): Promise<void> {
  await symlink(modules, join(folder, 'node_modules'))
  for (const name of ['job', 'tmp']) {
    await mkdir(join(folder, name), { mode: 0o700 })
    if (user !== null) await chown(join(folder, name), user, user)
  }
  if (bundle === null) return
  // A copy: the suite could change what is there.
  const archive = join(folder, 'job', BUNDLE_NAME)
  await copyFile(bundle, archive)
  if (user !== null) await chown(archive, user, user)
}

function insideRoot(place: Place): string[] {
  const { engine, browsers, nests, compiled } = place
  const isFilled = compiled?.isFilled === true
  const called = {
    ...{ engine, ...PLACES, nests, isFilled },
    browsers: browsers === null ? '' : PLACES.browsers,
    socket: isFilled ? ownSocketIn('/tmp') : PLACES.socket,
    compiled: compiled === null ? '' : PLACES.compiled,
  }
  return call(PLACES.node, `${PLACES.inside}/main.ts`, called, limitsIn(place).heapMb)
}

/** Whether a browser can make namespaces of its own in there: what to start to find out. */
export function launchNesting(way: Way, place: Omit<Place, 'folder'>): PlaywrightLaunch | null {
  // A browser refuses to be root.
  if (way.level === 'reduced' && !way.apart && process.getuid?.() === 0) return null
  const filter = way.filter === null ? null : seccompFilter(process.arch, { nests: true })
  const nested = ['unshare', '--user', '--map-current-user', '--pid', '--net', '--fork', 'true']
  const around = {
    strict: ['bwrap', ...emptyRoot({ ...place, folder: '' }, filter, 'trial')],
    namespaces: NAMESPACES,
    reduced: [],
  }
  const args = [...around[way.level], ...nested]
  const user = way.apart ? userApart() : null
  return { command: 'prlimit', args: ['--core=0', ...args], user, filter, env: { PATH } }
}

/** A link stays one: a browser that finds the time zone in a file has to look for its name among all there are, in each process. */
function ofSystem(path: string): string[] {
  const isSeen = (place: string) => SYSTEM.some((one) => place.startsWith(`${one}/`) || place === one)
  if (lstatSync(path).isSymbolicLink() && isSeen(realpathSync(path))) return ['--symlink', readlinkSync(path), path]
  return ['--ro-bind', path, path]
}

/** @param use a `trial` has no way out */
function emptyRoot(place: Place, filter: Buffer | null, use: 'run' | 'template' | 'trial' = 'run'): string[] {
  const { modules, browsers, folder, bundle, compiled } = place
  const readOnly = (path: string) => ['--ro-bind', path, path]
  const programs = browsers?.programs
    .map(dirname)
    .filter((folder) => !SYSTEM.some((one) => folder.startsWith(`${one}/`)))
  const size = (bytes: number, path: string) => ['--size', String(bytes), '--tmpfs', path]
  const { jobBytes, scratchBytes, sharedMemoryBytes } = limitsIn(place)
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(browsers === null && use !== 'template' ? ['--disable-userns'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...(filter === null ? [] : ['--seccomp', String(FILTER_FD)]),
    ...['--uid', '65534', '--gid', '65534', '--hostname', 'script'],
    ...['--tmpfs', '/', '--proc', '/proc', '--dev', '/dev'],
    ...[...size(sharedMemoryBytes, '/dev/shm'), ...size(scratchBytes, '/tmp'), ...size(jobBytes, PLACES.job)],
    ...(bundle === null ? [] : ['--ro-bind', bundle, `${PLACES.job}/${BUNDLE_NAME}`]),
    ...SYSTEM.filter((path) => existsSync(path)).flatMap(ofSystem),
    ...[...new Set(programs)].flatMap(readOnly),
    ...['--ro-bind', process.execPath, PLACES.node, '--ro-bind', join(INSIDE, 'hosts'), '/etc/hosts'],
    ...['--ro-bind', INSIDE, PLACES.inside, '--ro-bind', modules, PLACES.modules],
    ...(browsers === null ? [] : ['--ro-bind', browsers.folder, PLACES.browsers]),
    ...compiledInRoot(compiled),
    ...(use !== 'run' || compiled?.isFilled === true ? [] : ['--ro-bind', socketIn(folder), PLACES.socket]),
    // A place for the socket of each run. What the template could write to is there for all of them.
    ...(use === 'template'
      ? ['--ro-bind', '/dev/null', PLACES.socket, '--ro-bind', folder, PLACES.runs, '--remount-ro', '/dev']
      : []),
    ...['--remount-ro', '/', '--chdir', PLACES.job, '--'],
  ]
}

function compiledInRoot(compiled: CompiledPlace | null): string[] {
  if (compiled === null) return []
  const variables = Object.entries(variablesFor({ compiled: PLACES.compiled }))
  return [
    ...[compiled.isFilled ? '--bind' : '--ro-bind', compiled.folder, PLACES.compiled],
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}
