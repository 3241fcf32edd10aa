/**
 * Folders for temporary files of scripts. Each has a socket that somebody listens at as long as it is in use, which tells
 * across containers, and whatever became of the numbers of processes, whether its runner is still there.
 */
import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `shared`: what all runs read; `runs`: what is of runs that are forked. */
const KINDS = ['script', 'shared', 'bundles', 'runs'] as const
const NAME = new RegExp(`^vedette-(?:${KINDS.join('|')})-[^-]{6}$`)
const IN_USE = 'in-use.sock'
const SOCKETS = ['egress.sock', IN_USE]
/** A folder is made before its socket. */
const YOUNG_MS = 10 * 60_000

export async function makeFolder(kind: (typeof KINDS)[number]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `vedette-${kind}-`))
  // Whoever the script runs as may pass, and nobody may look.
  await chmod(folder, 0o711)
  return folder
}

/** For folders that have no other socket. @returns what ends it */
export async function markInUse(folder: string): Promise<() => void> {
  const server = net.createServer((socket) => socket.destroy()).unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(join(folder, IN_USE), resolve)
  })
  return () => server.close()
}

/** Removes what runners left that were killed. @returns how many folders */
export async function sweepFolders(now = Date.now()): Promise<number> {
  let swept = 0
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name)
    if (!NAME.test(name) || !(await isOrphaned(folder, now).catch(() => false))) continue
    await rm(folder, { recursive: true, force: true })
    swept += 1
  }
  return swept
}

async function isOrphaned(folder: string, now: number): Promise<boolean> {
  const stat = await lstat(folder)
  if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false
  const answers = await Promise.all(SOCKETS.map((name) => answerAt(join(folder, name))))
  if (answers.includes('somebody')) return false
  return answers.includes('nobody') || now - stat.mtimeMs > YOUNG_MS
}

function answerAt(path: string): Promise<'somebody' | 'nobody' | 'no socket'> {
  return new Promise((resolve) => {
    const socket = net.connect({ path })
    socket.once('connect', () => {
      socket.destroy()
      resolve('somebody')
    })
    socket.once('error', (error) => {
      const code = 'code' in error ? error.code : null
      // A listener that is too busy to answer is one all the same.
      resolve(code === 'ECONNREFUSED' ? 'nobody' : code === 'ENOENT' ? 'no socket' : 'somebody')
    })
  })
}
