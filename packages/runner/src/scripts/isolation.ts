/**
 * How a script is kept from everything that is not its own. The strongest level that this machine offers is found at
 * start by running a script at it.
 */
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CURRENT_RUNTIME, type IsolationLevel } from '@vedette/schema'
import { installedRuntimes } from '../playwright/runtimes.ts'

export const NO_ISOLATION =
  'isolation unavailable: this machine cannot keep scripts apart from itself (install bubblewrap, or set SCRIPT_ISOLATION=reduced)'

export interface Launch {
  command: string
  args: string[]
  /** The user and group that the script runs as; null: those of the runner. */
  user: number | null
  /** Written to descriptor `FILTER_FD`: which calls of the kernel are denied. */
  filter: Buffer | null
}

/** How scripts are started here. */
export interface Way {
  level: IsolationLevel
  /** Whether each runs as another user than we, which only root can arrange. */
  apart: boolean
  /** At the level `strict`. */
  filter: Buffer | null
}

const INSIDE = fileURLToPath(new URL('./inside.ts', import.meta.url))
const HEAP_MB = 192
const SCRATCH_BYTES = 64 * 1024 * 1024
const LIMITS = ['--core=0', '--nofile=256', `--fsize=${SCRATCH_BYTES}`, '--cpu=15', `--data=${1024 * 1024 * 1024}`]
/** Whatever happens to the runner. */
const ENDING_WITH_US = ['setpriv', '--pdeathsig', 'KILL']
/** Where the socket of the proxy is inside of an empty root. */
const SOCKET_INSIDE = '/run/egress.sock'

/** Where bubblewrap reads its filter from. */
export const FILTER_FD = 5

/** Where a process that is to be put into a control group waits for it. */
export const GATE_FD = 6

/** Nothing is started before it is in its group. */
export function behindGate({ command, args }: Launch): Pick<Launch, 'command' | 'args'> {
  return { command: 'sh', args: ['-c', `read -r _ <&${GATE_FD} && exec "$@" ${GATE_FD}<&-`, 'sh', command, ...args] }
}

/** Users that exist for nobody else: one for each script that runs at the same time. */
const FIRST_USER = 61_000
const USERS = 4000
/** Elsewhere than the other runners of this machine begin: the kernel counts the processes of a user, whoever started them. */
let lastUser = randomInt(USERS)

/** A user that no other process runs as. */
export function userApart(): number {
  lastUser = (lastUser + 1) % USERS
  return FIRST_USER + lastUser
}

export function launchAt({ level, apart, filter }: Way, socket: string): Launch {
  const user = apart ? userApart() : null
  const limits = user === null ? LIMITS : [...LIMITS, '--nproc=64']
  const { names, modules } = offeredPackages()
  const what = [names.join(','), modules]
  const node = (proxySocket: string) => [process.execPath, ...nodeOptions(), INSIDE, ...what, proxySocket]
  if (level === 'strict') {
    const root = emptyRoot(socket, filter !== null)
    return { command: 'prlimit', args: [...limits, 'bwrap', ...root, ...node(SOCKET_INSIDE)], user, filter }
  }
  if (level === 'reduced') {
    return { command: 'prlimit', args: [...limits, ...ENDING_WITH_US, ...node(socket)], user, filter: null }
  }
  // A new network has its loopback down; without it the script has no network at all.
  const up = 'ip link set lo up 2>/dev/null; exec "$@"'
  const apartFrom = ['--user', '--map-root-user', '--net', '--pid', '--mount', '--ipc', '--uts', '--mount-proc']
  const args = [
    ...limits,
    ...ENDING_WITH_US,
    'unshare',
    ...apartFrom,
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    up,
    'sh',
    ...node(socket),
  ]
  return { command: 'prlimit', args, user, filter: null }
}

function nodeOptions(): string[] {
  return [
    '--permission',
    ...[INSIDE, ...packageFolders()].map((path) => `--allow-fs-read=${path}`),
    '--no-addons',
    '--no-experimental-sqlite',
    '--no-warnings',
    `--max-old-space-size=${HEAP_MB}`,
  ]
}

/** An empty root and no way out of it. */
export function emptyRoot(socket: string, filtered: boolean): string[] {
  const readOnly = (path: string) => ['--ro-bind', path, path]
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--disable-userns', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...(filtered ? ['--seccomp', String(FILTER_FD)] : []),
    ...['--uid', '65534', '--gid', '65534', '--hostname', 'script'],
    ...['--tmpfs', '/', '--proc', '/proc', '--dev', '/dev', '--size', String(SCRATCH_BYTES), '--tmpfs', '/tmp'],
    ...['/usr/lib', '/usr/lib64', '/lib', '/lib64'].filter((path) => existsSync(path)).flatMap(readOnly),
    ...[process.execPath, INSIDE, ...packageFolders()].flatMap(readOnly),
    ...['--ro-bind', socket, SOCKET_INSIDE, '--remount-ro', '/', '--chdir', '/tmp', '--'],
  ]
}

/** Of the runtime, what is of no use around a request. */
const NOT_OFFERED = ['@playwright/test', '@axe-core/playwright']

interface OfferedPackages {
  names: readonly string[]
  /** Where they are; empty: nowhere. */
  modules: string
}
let offered: OfferedPackages | null = null

/** What scripts around requests may import: the packages of the current runtime. */
export function offeredPackages(): OfferedPackages {
  if (offered === null) {
    const runtime = installedRuntimes().find(({ id }) => id === CURRENT_RUNTIME)
    const names = Object.keys(runtime?.packages ?? {}).filter((name) => !NOT_OFFERED.includes(name))
    offered = { names, modules: runtime?.modules ?? '' }
  }
  return offered
}

/** Where they are on this machine, and in an empty root as well. */
function packageFolders(): readonly string[] {
  const { modules } = offeredPackages()
  return modules === '' ? [] : [modules]
}

export function isInstalled(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, command)))
}
