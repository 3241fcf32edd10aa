import { type FileHandle, open, stat, truncate, writeFile } from 'node:fs/promises'

const MAX_BYTES = 4_000_000

/**
 * The engine outlives the server, so it cannot log through a pipe and writes to a file itself. Opened for appending:
 * after it was emptied, the engine goes on at its beginning.
 */
export async function openLog(path: string): Promise<FileHandle> {
  await trimLog(path)
  return open(path, 'a', 0o600)
}

/** Moves what a log holds to a second file when it has grown long. */
export async function trimLog(path: string): Promise<void> {
  const size = await logSize(path)
  if (size <= MAX_BYTES) return
  await writeFile(`${path}.1`, await readFrom(path, size - MAX_BYTES), { mode: 0o600 })
  await truncate(path)
}

export async function logSize(path: string): Promise<number> {
  return stat(path).then(
    (file) => file.size,
    () => 0,
  )
}

/** What a log holds from a position on, but no more than fits into it by the rules. */
export async function readFrom(path: string, position: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(MAX_BYTES)
    const { bytesRead } = await file.read(buffer, 0, MAX_BYTES, position)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
