/** The key file of an installation that was given no key: `secret.key` in its data directory. */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../db/embedded/durable-file.ts'
import { errorCode } from '../db/embedded/errors.ts'
import { KEY_BYTES, parseKey } from './seal.ts'

export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

/** Null when there is no such file. @throws Error when it holds something else. */
export async function readKeyFile(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const key = parseKey(text.trim())
  if (key === null) throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes: restore that file.`)
  return key
}

export async function makeKeyFile(dataDir: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeDurably(keyFileIn(dataDir), `${key.toString('base64')}\n`, 0o600)
  return key
}
