import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { canReach, type EngineUser, findEngineUser } from './engine-user.ts'

/** Where the system keeps what root's services store; not below a home directory, which other users cannot read. */
export const SYSTEM_STATE_DIR = '/var/lib/vedette'

/** An address of a unix socket holds some hundred bytes: 108 on Linux, 104 on macOS. */
const MAX_SOCKET_PATH = 100
const OUTSIDE = '/tmp/vedette-'
export const SOCKET_NAME = '.s.PGSQL.5432'

/**
 * The data directory when nobody chose one: `data` in the working directory. Root cannot have it there, because the
 * engine runs as another user; each working directory then gets one of its own below the system's state directory.
 */
export function defaultDataDir({ isRoot, cwd }: { isRoot: boolean; cwd: string }): string {
  if (!isRoot) return resolve(cwd, 'data')
  return join(SYSTEM_STATE_DIR, createHash('sha256').update(resolve(cwd)).digest('hex').slice(0, 12))
}

/** The places in a data directory. What the engine writes is owned by its user; all else by the server's. */
export interface DataDirectory {
  path: string
  user: EngineUser | undefined
  /** The database proper: what PostgreSQL calls its data directory. */
  database: string
  log: string
}

/** Makes the directory and checks that the engine will be able to work in it. */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  await mkdir(path, { recursive: true })
  const directory = await realpath(path) // one name for it, whichever way it is reached
  const database = join(directory, 'postgresql')
  const user = await findEngineUser(database)
  // The engine's user passes through, to folders of its own; it neither lists nor changes what else is here.
  await chmod(directory, user ? 0o711 : 0o700).catch((error: unknown) => {
    throw new Error(`The data directory ${directory} belongs to another user: ${String(error)}`)
  })
  if (user && !canReach(user, directory)) {
    throw new Error(
      `PostgreSQL does not run as root but as user ${user.uid}, who cannot get into the data directory ${directory}: ` +
        'choose a DATA_DIR whose parent folders other users may enter',
    )
  }
  return { path: directory, user, database, log: join(directory, 'postgresql.log') }
}

/** Makes a folder that only the engine's user may enter (and root). */
export async function makePrivate(directory: string, user: EngineUser | undefined): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const owner = await lstat(directory)
  const expected = user?.uid ?? process.getuid?.()
  if (!owner.isDirectory()) throw new Error(`${directory} is not a directory`)
  if (owner.uid !== expected) {
    if (!user || owner.uid !== 0) throw new Error(`${directory} belongs to another user (${owner.uid})`)
    await chown(directory, user.uid, user.gid)
  }
  await chmod(directory, 0o700)
}

/**
 * A private folder for the engine's socket: in the data directory, or below /tmp when that path is too long. `former`
 * is the one that an earlier engine had.
 */
export async function makeSocketDirectory(directory: DataDirectory, former: string | undefined): Promise<string> {
  const inside = insideSocketDirectory(directory)
  const fits = Buffer.byteLength(join(inside, SOCKET_NAME)) <= MAX_SOCKET_PATH
  const path = former ?? (fits ? inside : await mkdtemp(OUTSIDE))
  await makePrivate(path, directory.user)
  return path
}

/** Whether a path can be a socket directory that we made for this data directory. */
export function isSocketDirectory(directory: DataDirectory, path: string): boolean {
  return (
    path === insideSocketDirectory(directory) || (path.startsWith(OUTSIDE) && /^\w+$/.test(path.slice(OUTSIDE.length)))
  )
}

function insideSocketDirectory(directory: DataDirectory): string {
  return join(directory.path, 'run')
}
