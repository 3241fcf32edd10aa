/** Takes an uploaded archive: written to a file, looked at and hashed as it comes, and never held in memory. */
import { createHash } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { BUNDLE_LIMITS } from '@vedette/schema'
import { ArchiveCheck } from './check-archive.ts'
import { ArchiveProblem } from './tar-reader.ts'

export interface ReceivedArchive {
  /** Of the file; it is gone when `use` is done. */
  path: string
  size: number
  sha256: string
  files: number
}

/** Larger than is taken. */
export class ArchiveTooLarge extends Error {}

/** @throws ArchiveProblem, ArchiveTooLarge */
export async function receiveArchive<T>(
  body: AsyncIterable<Uint8Array>,
  use: (archive: ReceivedArchive) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-upload-'))
  try {
    return await use(await write(body, join(folder, 'bundle.tar.gz')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function write(body: AsyncIterable<Uint8Array>, path: string): Promise<ReceivedArchive> {
  const hash = createHash('sha256')
  const check = new ArchiveCheck()
  const file = await open(path, 'wx', 0o600)
  let size = 0
  let files = 0
  try {
    await pipeline(
      async function* () {
        for await (const piece of body) {
          size += piece.length
          if (size > BUNDLE_LIMITS.bytes) throw new ArchiveTooLarge()
          hash.update(piece)
          await file.writeFile(piece)
          yield piece
        }
      },
      createGunzip(),
      async (unpacked: AsyncIterable<Buffer>) => {
        for await (const piece of unpacked) check.write(piece)
        files = check.end()
      },
    )
  } catch (error) {
    throw size === 0 ? new ArchiveProblem('The archive is empty') : (inWords(error) ?? error)
  } finally {
    await file.close()
  }
  return { path, size, sha256: hash.digest('hex'), files }
}

function inWords(error: unknown): ArchiveProblem | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'Z_BUF_ERROR') return new ArchiveProblem('The archive is cut off')
  return code === 'Z_DATA_ERROR' ? new ArchiveProblem('The archive is not compressed with gzip, or is damaged') : null
}
