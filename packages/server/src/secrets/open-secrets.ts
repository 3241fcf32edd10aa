/** Finds the installation's key at start, proves that it is the right one, and finishes a change of keys. */
import type { Config } from '../config.ts'
import { dataDirOf } from '../database-place.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { keyFileIn, makeKeyFile, readKeyFile } from './key-file.ts'
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
 * Call it before anything is written to the database.
 *
 * @throws Error in one sentence when there are encrypted values and the key is missing or another one
 */
export async function openSecrets(
  db: Db,
  config: Pick<Config, 'secretKey' | 'previousSecretKey' | 'dataDir'>,
  log: Log,
): Promise<OpenedSecrets> {
  const file = keyFileIn(dataDirOf(config))
  const proof = await store.findProof(db)
  const inUse = await store.keyIdsInUse(db)
  const found = config.secretKey ?? (await readKeyFile(file))
  const previous = config.previousSecretKey === undefined ? null : dataKey(config.previousSecretKey)
  if (found === null && inUse.size > 0) {
    throw new Error(`The key of the stored secrets is missing: restore ${file}, or set SECRET_KEY to that key.`)
  }
  const known = [...(found === null ? [] : [dataKey(found)]), ...(previous === null ? [] : [previous])]
  const isProven = proof === null || known.some((key) => open(key, store.PROOF_PLACE, proof) === PROOF_TEXT)
  const isKnown = (id: string) => known.some((key) => key.id === id)
  if (inUse.size > 0 && !(isProven && [...inUse].every(isKnown))) {
    const name = config.secretKey === undefined ? file : 'SECRET_KEY'
    throw new Error(
      `${name} is not the key of the stored secrets: bring that key back, or give it as SECRET_KEY_PREVIOUS to change keys.`,
    )
  }
  const current = dataKey(found ?? (await makeKeyFile(dataDirOf(config))))
  if (found === null) log.info('A key for stored secrets was made: keep it with your backups', { file })
  return {
    secrets: secretsWith(current, previous),
    settle: () => settle(db, current, previous, proof, log),
  }
}

async function settle(
  db: Db,
  current: DataKey,
  previous: DataKey | null,
  proof: string | null,
  log: Log,
): Promise<void> {
  if (proof !== null && keyIdOf(proof) === current.id && previous === null) return
  const fresh = seal(current, store.PROOF_PLACE, PROOF_TEXT)
  const secrets = secretsWith(current, previous)
  const changed = await db
    .transaction()
    .execute((tx) =>
      store.changeKey(tx, current.id, fresh, (place, sealed) => secrets.seal(place, secrets.open(place, sealed))),
    )
  if (changed > 0) log.info('Stored secrets were encrypted anew: SECRET_KEY_PREVIOUS can go', { values: changed })
}
