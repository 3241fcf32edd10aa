/** How a process that runs Playwright is started: what it sees, and what it may use up. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ScriptEngine } from '@vedette/schema'
import { FILTER_FD, type Launch, userApart, type Way } from '../scripts/isolation.ts'
import type { Browsers } from './browsers.ts'

const INSIDE = fileURLToPath(new URL('./inside', import.meta.url))
const MEGABYTE = 1024 * 1024
/** What a run may write, in memory: it is gone with its process. */
const SCRATCH_BYTES = 512 * MEGABYTE
/** What a run sees of the system: libraries and programs, fonts, certificates. Nothing that an operator has put there. */
const SYSTEM = [
  ...['/usr/bin', '/usr/lib', '/usr/lib64', '/usr/share', '/bin', '/lib', '/lib64'],
  ...['/etc/fonts', '/etc/ssl', '/etc/ca-certificates', '/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime'],
]

/** Where things are inside; the folder of a run is the same for all, so that what is made of its files can be used again. */
const PLACES = {
  inside: '/inside',
  modules: '/node_modules',
  browsers: '/browsers',
  socket: '/run/egress.sock',
  job: '/job',
}

export interface Room {
  engine: ScriptEngine
  modules: string
  /** Null: a run without pages. */
  browsers: Browsers | null
  /** Of the way out. */
  socket: string
  /** Used where the machine offers no root of its own. */
  folder: string
}

/** What the main program inside is called with. */
const call = (
  node: string,
  main: string,
  { engine, ...places }: Record<'engine' | 'job' | 'modules' | 'browsers' | 'socket', string>,
) => [node, '--no-warnings', ...[main, engine, places.job, places.modules, places.browsers, places.socket]]

export function launchPlaywright({ level, apart, filter }: Way, room: Room): Launch {
  const user = apart ? userApart() : null
  const limits = ['--core=0', '--nofile=4096', `--fsize=${SCRATCH_BYTES}`, ...(user === null ? [] : ['--nproc=512'])]
  const { engine, modules, browsers, socket, folder } = room
  if (level !== 'strict') {
    const places = { engine, job: folder, modules, browsers: browsers?.folder ?? '', socket }
    const node = call(process.execPath, `${INSIDE}/main.ts`, places)
    return { command: 'prlimit', args: [...limits, 'setpriv', '--pdeathsig', 'KILL', ...node], user, filter: null }
  }
  // A browser makes namespaces for its own sandbox, which the filter denies to all others.
  const hasBrowser = browsers !== null
  const places = { engine, ...PLACES, browsers: hasBrowser ? PLACES.browsers : '' }
  const root = emptyRoot(room, hasBrowser ? null : filter)
  const node = call(process.execPath, `${PLACES.inside}/main.ts`, places)
  return { command: 'prlimit', args: [...limits, 'bwrap', ...root, ...node], user, filter: hasBrowser ? null : filter }
}

function emptyRoot({ modules, browsers, socket }: Room, filter: Buffer | null): string[] {
  const readOnly = (path: string) => ['--ro-bind', path, path]
  const programs = browsers?.programs
    .map(dirname)
    .filter((folder) => !SYSTEM.some((one) => folder.startsWith(`${one}/`)))
  const size = (bytes: number, path: string) => ['--size', String(bytes), '--tmpfs', path]
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(browsers === null ? ['--disable-userns'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...(filter === null ? [] : ['--seccomp', String(FILTER_FD)]),
    ...['--uid', '65534', '--gid', '65534', '--hostname', 'script'],
    ...['--tmpfs', '/', '--proc', '/proc', '--dev', '/dev'],
    ...[...size(SCRATCH_BYTES, '/dev/shm'), ...size(SCRATCH_BYTES, '/tmp'), ...size(SCRATCH_BYTES, PLACES.job)],
    ...SYSTEM.filter((path) => existsSync(path)).flatMap(readOnly),
    ...[process.execPath, ...new Set(programs)].flatMap(readOnly),
    ...['--ro-bind', INSIDE, PLACES.inside, '--ro-bind', modules, PLACES.modules],
    ...(browsers === null ? [] : ['--ro-bind', browsers.folder, PLACES.browsers]),
    ...['--ro-bind', socket, PLACES.socket, '--remount-ro', '/', '--chdir', PLACES.job, '--'],
  ]
}
