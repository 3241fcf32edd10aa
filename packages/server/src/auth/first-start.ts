/** What an empty database needs: an account, its administrator, the locations, and a way in. */
import { DATA_CENTER_NAMES, DATA_CENTERS, DEFAULT_ALERT_SETTINGS, type Role } from '@vedette/schema'
import { AppError } from '../app-error.ts'
import type { Db } from '../db/database.ts'
import { hashKey, keyFrom, newKey } from './keys.ts'
import { hashPassword } from './passwords.ts'
import type { Epoch } from './store.ts'

const SET_UP_TOKEN = 'set-up-token'

/** Makes the account and its locations when there are none. Safe to call by several servers at once. */
export async function prepareInstallation(
  db: Db,
  initial: { apiKey: string | undefined; accountId: string | undefined },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('installation')
      .values({ key: 'created', value: JSON.stringify({ at: new Date() }) })
      .onConflict((c) => c.doNothing())
      .execute()
    await tx.selectFrom('installation').select('key').where('key', '=', 'created').forUpdate().execute()
    await tx
      .insertInto('locations')
      .values(DATA_CENTERS.map((slug) => ({ slug, name: DATA_CENTER_NAMES[slug] })))
      .onConflict((c) => c.doNothing())
      .execute()
    if (await tx.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) return
    const account = await tx
      .insertInto('accounts')
      .values({
        ...(initial.accountId === undefined ? {} : { id: initial.accountId }),
        name: 'Main',
        is_first: true,
        alert_settings: JSON.stringify(DEFAULT_ALERT_SETTINGS),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (initial.apiKey === undefined) return
    // The key acts for a person, as all user keys do; whoever sets a name and password first becomes that person.
    const { id: person } = await addPerson(tx, account.id, 'administrator', null, 'OWNER')
    const key = keyFrom(initial.apiKey)
    await tx
      .insertInto('api_keys')
      .values({ key_hash: key.hash, name: 'Initial key', last_characters: key.lastCharacters, user_id: person })
      .execute()
  })
}

async function addPerson(
  db: Db,
  accountId: string,
  name: string,
  passwordHash: string | null,
  role: Role,
): Promise<Epoch> {
  const person = await db
    .insertInto('users')
    .values({ name, password_hash: passwordHash })
    .returning(['id', 'epoch'])
    .executeTakeFirstOrThrow()
  await db.insertInto('memberships').values({ account_id: accountId, user_id: person.id, role }).execute()
  return person
}

/** True until an owner of the first account can sign in with a password. People who were invited cannot stand in. */
export async function isSetUpNeeded(db: Db): Promise<boolean> {
  const owner = await db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.user_id', 'u.id')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select('u.id')
    .where('u.password_hash', 'is not', null)
    .where('m.role', '=', 'OWNER')
    .where('a.is_first', '=', true)
    .limit(1)
    .executeTakeFirst()
  return owner === undefined
}

/** A fresh token for the set-up link, or null when nobody needs one. The one before stops working. */
export async function renewSetUpToken(db: Db): Promise<string | null> {
  if (!(await isSetUpNeeded(db))) return null
  const token = newKey('setUp')
  const value = JSON.stringify({ hash: token.hash.toString('hex') })
  await db
    .insertInto('installation')
    .values({ key: SET_UP_TOKEN, value })
    .onConflict((c) => c.column('key').doUpdateSet({ value }))
    .execute()
  return token.raw
}

/**
 * Makes the first person with a password.
 *
 * @throws AppError `forbidden` when the token is wrong or somebody was faster, `conflict` when the name is taken.
 */
export async function completeSetUp(db: Db, token: string, name: string, password: string): Promise<Epoch> {
  const wrong = new AppError(
    'forbidden',
    'The set-up link is wrong, or it was used before. The server prints a fresh one at start.',
  )
  const presented = hashKey(token).toString('hex')
  const known = await db.selectFrom('installation').select('value').where('key', '=', SET_UP_TOKEN).executeTakeFirst()
  if (known?.value.hash !== presented) throw wrong
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    const used = await tx
      .deleteFrom('installation')
      .where('key', '=', SET_UP_TOKEN)
      .where('value', '=', known.value)
      .returning('key')
      .executeTakeFirst()
    if (used === undefined) throw wrong
    const account = await tx.selectFrom('accounts').select('id').where('is_first', '=', true).executeTakeFirstOrThrow()
    const namesake = await tx
      .selectFrom('users')
      .select('id')
      .where('name', '=', name)
      .where('password_hash', 'is not', null)
      .executeTakeFirst()
    if (namesake !== undefined) throw new AppError('conflict', 'Somebody has that name. Take another one.')
    // The person for whom the initial key acts is still nobody in particular: it is this one.
    const nobody = await tx
      .updateTable('users')
      .set({ name, password_hash: passwordHash })
      .where('id', '=', (eb) =>
        eb
          .selectFrom('memberships as m')
          .innerJoin('users as u', 'u.id', 'm.user_id')
          .select('u.id')
          .where('m.account_id', '=', account.id)
          .where('m.role', '=', 'OWNER')
          .where('u.password_hash', 'is', null)
          .orderBy('u.created_at')
          .limit(1),
      )
      .returning(['id', 'epoch'])
      .executeTakeFirst()
    return nobody ?? addPerson(tx, account.id, name, passwordHash, 'OWNER')
  })
}
