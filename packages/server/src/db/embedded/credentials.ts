import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from './durable-file.ts'
import { errorCode } from './errors.ts'

export interface Credentials {
  user: string
  password: string
}

/** The engine's own user and random password, kept in a file that only the server's user can read. */
export async function loadOrCreateCredentials(dataDir: string, databaseExists: boolean): Promise<Credentials> {
  const file = join(dataDir, 'credentials.json')
  const stored = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (stored !== undefined) return parse(stored, file)
  if (databaseExists) {
    throw new Error(
      `The data directory ${dataDir} has a database but no credentials.json to open it: restore that file`,
    )
  }
  const credentials = { user: 'vedette', password: randomBytes(32).toString('base64url') }
  await writeDurably(file, `${JSON.stringify(credentials)}\n`, 0o600)
  return credentials
}

function parse(text: string, file: string): Credentials {
  const parsed: unknown = JSON.parse(text)
  if (parsed !== null && typeof parsed === 'object' && 'user' in parsed && 'password' in parsed) {
    const { user, password } = parsed
    if (typeof user === 'string' && typeof password === 'string') return { user, password }
  }
  throw new Error(`${file} does not hold a user and a password: restore that file`)
}
