import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file so that after a crash it is there whole or not at all. */
export async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const unfinished = `${path}.new`
  const file = await open(unfinished, 'w', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await renameDurably(unfinished, path)
}

/** Renames, and makes sure that the disk knows. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  const directory = await open(dirname(to), 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
