/** Finds the installation's key at start, proves that it is the right one, and finishes a change of keys. */
import type { Config } from '../config.ts'
import { dataDirOf } from '../database-place.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { keyFileIn, makeKeyFile, readKeyFile } from './key-file.ts'
import { holdProof } from './proof-store.ts'
import { type DataKey, dataKey, keyIdOf, open, seal } from './seal.ts'
import { type Secrets, secretsWith } from './secrets.ts'
import * as store from './store.ts'

const PROOF_TEXT = 'vedette'

export interface OpenedSecrets {
  secrets: Secrets
  /** To be called once the database is up to date: what is stored under the key before is sealed anew. */
  settle(): Promise<void>
}

/**
 * Call it before anything is written to the database. An embedded database has one server, whose key may change while
 * nothing is stored; a database of one's own may have several, which must all have the key of the first.
 *
 * @throws Error in a sentence or two when the key is missing or another one
 */
export async function openSecrets(
  db: Db,
  config: Pick<Config, 'secretKey' | 'previousSecretKey' | 'dataDir' | 'databaseUrl'>,
  log: Log,
): Promise<OpenedSecrets> {
  const file = keyFileIn(dataDirOf(config))
  const proof = await store.findProof(db)
  const inUse = await store.keyIdsInUse(db)
  const found = config.secretKey ?? (await readKeyFile(file))
  const previous = config.previousSecretKey === undefined ? null : dataKey(config.previousSecretKey)
  const isShared = config.databaseUrl !== undefined
  const isBound = inUse.size > 0 || (isShared && proof !== null)
  const hint = inUse.size > 0 ? '' : NOTHING_STORED
  if (found === null && isBound) {
    throw new Error(`The key of the stored secrets is missing: restore ${file}, or set SECRET_KEY to that key.${hint}`)
  }
  const known = [...(found === null ? [] : [dataKey(found)]), ...(previous === null ? [] : [previous])]
  const isKnown = (id: string) => known.some((key) => key.id === id)
  const name = config.secretKey === undefined ? file : 'SECRET_KEY'
  if (isBound && !(isProven(proof, known) && [...inUse].every(isKnown))) throw anotherKey(name, hint)
  const current = dataKey(found ?? (await makeKeyFile(dataDirOf(config))))
  if (found === null) log.info('A key for stored secrets was made: keep it with your backups', { file })
  return {
    secrets: secretsWith(current, previous),
    settle: () => settle(db, current, previous, isShared ? name : null, log),
  }
}

const NOTHING_STORED =
  ' No secret is stored yet: if that key is lost, stop all servers and delete the row "secret-key" of the table "installation".'

function anotherKey(name: string, hint: string): Error {
  return new Error(
    `${name} is not the key of the stored secrets: bring that key back, or give it as SECRET_KEY_PREVIOUS to change keys.${hint}`,
  )
}

function isProven(proof: string | null, known: readonly DataKey[]): boolean {
  return proof === null || known.some((key) => open(key, store.PROOF_PLACE, proof) === PROOF_TEXT)
}

/** @param sharedName what holds our key, where another server may have brought its own since we looked; else null */
async function settle(
  db: Db,
  current: DataKey,
  previous: DataKey | null,
  sharedName: string | null,
  log: Log,
): Promise<void> {
  const fresh = seal(current, store.PROOF_PLACE, PROOF_TEXT)
  const secrets = secretsWith(current, previous)
  const changed = await db.transaction().execute(async (tx) => {
    const proof = await holdProof(tx, fresh)
    const known = [current, ...(previous === null ? [] : [previous])]
    if (sharedName !== null && !isProven(proof, known)) throw anotherKey(sharedName, '')
    if (proof !== null && keyIdOf(proof) === current.id && previous === null) return 0
    return store.changeKey(tx, current.id, fresh, (place, sealed) => secrets.seal(place, secrets.open(place, sealed)))
  })
  if (changed > 0) log.info('Stored secrets were encrypted anew: SECRET_KEY_PREVIOUS can go', { values: changed })
}
