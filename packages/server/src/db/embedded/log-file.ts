import { type FileHandle, open, readFile, stat, truncate, writeFile } from 'node:fs/promises'

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
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  )
  if (size <= MAX_BYTES) return
  const end = await open(path, 'r')
  try {
    const kept = Buffer.alloc(MAX_BYTES)
    const { bytesRead } = await end.read(kept, 0, MAX_BYTES, size - MAX_BYTES)
    await writeFile(`${path}.1`, kept.subarray(0, bytesRead), { mode: 0o600 })
  } finally {
    await end.close()
  }
  await truncate(path)
}

/** The last lines of a log, for an error message. */
export async function lastLines(path: string, count: number): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-count).join('\n')
}
