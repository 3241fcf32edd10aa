import { spawnSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'

/** Whom the engine's processes run as; undefined: as whoever runs Vedette. */
export interface EngineUser {
  uid: number
  gid: number
}

/** Preferred first. `nobody` is there everywhere; an operator who wants a user of its own for the engine creates `vedette`. */
const PREFERRED = ['vedette', 'nobody']

/**
 * PostgreSQL refuses to run as root, so root runs it as somebody else: the owner of an existing database, otherwise a
 * user without rights that the system has anyway.
 */
export async function findEngineUser(databaseDir: string): Promise<EngineUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(databaseDir).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }

  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of PREFERRED) {
    const [, , uid, gid] = users.find((fields) => fields[0] === name) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has no user "vedette" or "nobody" to run it as: ' +
      'create one, start Vedette as an ordinary user, or set DATABASE_URL',
  )
}

/** Whether a user gets into a folder: asked of the system itself, which knows about every parent folder and access list. */
export function canReach(user: EngineUser, directory: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { ...user, cwd: '/', env: {}, stdio: 'ignore' })
  return status === 0
}
