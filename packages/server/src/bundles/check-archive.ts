/** What an archive may hold that becomes the folder of a suite. */
import { BUNDLE_LIMITS } from '@vedette/schema'
import { ArchiveProblem, type TarEntry, TarReader } from './tar-reader.ts'

/** Folders count beside the files. */
const MOST_ENTRIES = 2 * BUNDLE_LIMITS.files
/** Headers and padding on top of what the files hold: an archive that unpacks to more is no honest one. */
const MOST_TAR_BYTES = BUNDLE_LIMITS.unpackedBytes + MOST_ENTRIES * 2048
const MOST_DEPTH = 100
const PATH_LIMIT = 1000

/** Looks at an archive while it comes by. */
export class ArchiveCheck {
  readonly #reader = new TarReader((entry) => this.#take(entry))
  readonly #seen = new Map<string, 'file' | 'link'>()
  #tarBytes = 0
  #entries = 0
  #files = 0
  #bytes = 0

  /** Unpacked bytes. @throws ArchiveProblem */
  write(bytes: Buffer): void {
    this.#tarBytes += bytes.length
    if (this.#tarBytes > MOST_TAR_BYTES) throw tooLarge()
    this.#reader.write(bytes)
  }

  /** So many files are in it. @throws ArchiveProblem */
  end(): number {
    this.#reader.end()
    if (this.#files === 0) throw new ArchiveProblem('The archive has no files')
    for (const path of this.#seen.keys()) {
      const link = foldersOf(path).find((folder) => this.#seen.has(folder))
      if (link === undefined) continue
      const what = this.#seen.get(link) === 'link' ? 'link' : 'file'
      throw new ArchiveProblem(`The archive has ${shown(path)} below ${shown(link)}, which is a ${what}`)
    }
    return this.#files
  }

  #take(entry: TarEntry): void {
    this.#entries += 1
    if (this.#entries > MOST_ENTRIES) throw new ArchiveProblem(`The archive has more than ${MOST_ENTRIES} entries`)
    const problem = problemOfPath(entry.path)
    if (problem !== null) throw new ArchiveProblem(`The archive has the path ${shown(entry.path)}, which ${problem}`)
    const path = plain(entry.path)
    switch (entry.is) {
      case 'folder':
        return
      case 'other':
        throw new ArchiveProblem(
          `The archive has ${entry.what}, ${shown(path)}: only files, folders and symbolic links are taken`,
        )
      case 'link': {
        const reason = problemOfLink(path, entry.target)
        if (reason !== null) {
          throw new ArchiveProblem(`The archive has the link ${shown(path)} to ${shown(entry.target)}, which ${reason}`)
        }
        this.#add(path, 'link')
        return
      }
      case 'file':
        this.#bytes += entry.size
        if (this.#bytes > BUNDLE_LIMITS.unpackedBytes) throw tooLarge()
        this.#add(path, 'file')
    }
  }

  #add(path: string, what: 'file' | 'link'): void {
    if (path === '') throw new ArchiveProblem('The archive has a file without a name')
    if (this.#seen.has(path)) throw new ArchiveProblem(`The archive has ${shown(path)} twice`)
    this.#files += 1
    if (this.#files > BUNDLE_LIMITS.files)
      throw new ArchiveProblem(`The archive has more than ${BUNDLE_LIMITS.files} files`)
    this.#seen.set(path, what)
  }
}

/** Null: it stays in the folder that it is unpacked into. */
function problemOfPath(path: string): string | null {
  // What no UTF-8 is has become this character.
  if (/[\0\\\ufffd]/.test(path)) return 'has characters that no path here may have'
  if (path.length > PATH_LIMIT) return `is longer than ${PATH_LIMIT} characters`
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'must be relative'
  const parts = path.split('/')
  if (parts.includes('..')) return 'leads out of its folder'
  return parts.length > MOST_DEPTH ? 'is nested too deeply' : null
}

/**
 * A target may climb at its beginning only, and no higher than the archive: then it stays inside whatever further links are
 * on its way.
 */
function problemOfLink(path: string, target: string): string | null {
  if (target === '' || /[\0\\\ufffd]/.test(target)) return 'is no path'
  if (target.startsWith('/') || /^[a-z]:/i.test(target)) return 'must be relative'
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const climbs = parts.findIndex((part) => part !== '..')
  const up = climbs === -1 ? parts.length : climbs
  if (up > foldersOf(path).length || parts.slice(up).includes('..')) return 'leads out of the archive'
  return null
}

const plain = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

const tooLarge = () =>
  new ArchiveProblem(`The archive holds more than ${BUNDLE_LIMITS.unpackedBytes / 1024 / 1024} MiB when unpacked`)

const shown = (path: string) => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
