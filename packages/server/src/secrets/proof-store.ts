import type { Db } from '../db/database.ts'
import { PROOF_PLACE } from './store.ts'

/** Puts the proof there if there is none, and answers the one that holds; nobody changes it until the transaction ends. */
export async function holdProof(tx: Db, fresh: string): Promise<string | null> {
  await tx
    .insertInto('installation')
    .values({ key: PROOF_PLACE.rowId, value: JSON.stringify({ sealed: fresh }) })
    .onConflict((c) => c.doNothing())
    .execute()
  const { value } = await tx
    .selectFrom('installation')
    .select('value')
    .where('key', '=', PROOF_PLACE.rowId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return typeof value.sealed === 'string' ? value.sealed : null
}
