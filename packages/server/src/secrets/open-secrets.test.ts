import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DEFAULT_ALERT_SETTINGS } from '@vedette/schema'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../db/database.ts'
import { createLog } from '../log.ts'
import { testDatabase } from '../testing/database.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'
import { type OpenedSecrets, openSecrets } from './open-secrets.ts'
import { keyIdOf } from './seal.ts'
import type { Secrets } from './secrets.ts'

interface Keys {
  secretKey?: Buffer
  previousSecretKey?: Buffer
}

interface Place {
  db: Db
  dataDir: string
  file: string
  log: string[]
  /** As a start does, migrations aside. */
  start(keys?: Keys): Promise<Secrets>
  /** As far as a start goes before it changes the database. */
  open(keys?: Keys): Promise<OpenedSecrets>
}

/** @param databaseUrl as a server has it that does not bring its own engine */
async function anInstallation(t: TestContext, url?: string, databaseUrl?: string): Promise<Place> {
  const parent = await mkdtemp(join(tmpdir(), 'vedette-test-'))
  const database = openDatabase(url ?? (await migratedDatabase(t)), () => {})
  t.after(async () => {
    await database.close()
    await rm(parent, { recursive: true })
  })
  const { db } = database
  const dataDir = join(parent, 'data')
  const log: string[] = []
  const open: Place['open'] = ({ secretKey, previousSecretKey } = {}) => {
    const config = { secretKey, previousSecretKey, dataDir, databaseUrl }
    return openSecrets(
      db,
      config,
      createLog('info', (line) => log.push(line)),
    )
  }
  return {
    db,
    dataDir,
    file: join(dataDir, 'secret.key'),
    log,
    open,
    async start(keys) {
      const { secrets, settle } = await open(keys)
      await settle()
      return secrets
    },
  }
}

const places = { table: 'variables', column: 'sealed_value' } as const

async function store(db: Db, secrets: Secrets, text: string): Promise<{ accountId: string; rowId: string }> {
  const { id: accountId } = await db
    .insertInto('accounts')
    .values({ name: 'Main', alert_settings: JSON.stringify(DEFAULT_ALERT_SETTINGS) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const id = randomUUID()
  const sealed_value = secrets.seal({ ...places, accountId, rowId: id }, text)
  await db
    .insertInto('variables')
    .values({ id, account_id: accountId, key: 'TOKEN', sealed_value, locked: false, secret: true })
    .execute()
  return { accountId, rowId: id }
}

async function sealedIn(db: Db): Promise<string> {
  const row = await db.selectFrom('variables').select('sealed_value').executeTakeFirstOrThrow()
  return row.sealed_value ?? ''
}

/** Everything that a refused start must leave as it is. */
async function state({ db, dataDir }: Place) {
  const { rows: installation } = await sql`select key, value::text from installation order by key`.execute(db)
  return { installation, sealed: await sealedIn(db), files: await readdir(dataDir).catch(() => []) }
}

test('the first start makes a key that only the server can read, later ones use it', async (t) => {
  const place = await anInstallation(t)
  const stored = await store(place.db, await place.start(), 'canary')
  assert.equal((await stat(place.file)).mode & 0o777, 0o600)
  assert.equal(Buffer.from(await readFile(place.file, 'utf8'), 'base64').length, 32)
  assert.equal((await place.start()).open({ ...places, ...stored }, await sealedIn(place.db)), 'canary')
  assert.ok(!place.log.join().includes(await readFile(place.file, 'utf8')))
})

test('a key from the environment needs no file', async (t) => {
  const place = await anInstallation(t)
  const secretKey = randomBytes(32)
  const stored = await store(place.db, await place.start({ secretKey }), 'canary')
  assert.equal((await place.start({ secretKey })).open({ ...places, ...stored }, await sealedIn(place.db)), 'canary')
  await assert.rejects(stat(place.file), /ENOENT/)
})

test('a database that has no tables yet gets its key', async (t) => {
  const place = await anInstallation(t, await testDatabase(t))
  const { secrets } = await openSecrets(
    place.db,
    { dataDir: place.dataDir, secretKey: undefined, previousSecretKey: undefined, databaseUrl: undefined },
    createLog('error'),
  )
  assert.match(secrets.seal({ ...places, accountId: '', rowId: '' }, 'x'), /^[0-9a-f]{16}\./)
})

test('without the key of what is stored nothing starts and nothing is written', async (t) => {
  const place = await anInstallation(t)
  await store(place.db, await place.start(), 'canary')
  await rm(place.file)
  const before = await state(place)
  await assert.rejects(place.start(), {
    message: `The key of the stored secrets is missing: restore ${place.file}, or set SECRET_KEY to that key.`,
  })
  await assert.rejects(place.start({ previousSecretKey: randomBytes(32) }), /is missing/)
  assert.deepEqual(await state(place), before)
})

test('with another key nothing starts and nothing is written', async (t) => {
  const place = await anInstallation(t)
  await store(place.db, await place.start({ secretKey: randomBytes(32) }), 'canary')
  const before = await state(place)
  await assert.rejects(place.start({ secretKey: randomBytes(32) }), /^Error: SECRET_KEY is not the key of the stored/)
  const both = { secretKey: randomBytes(32), previousSecretKey: randomBytes(32) }
  await assert.rejects(place.start(both), /is not the key/)
  assert.deepEqual(await state(place), before)
})

test('a file that holds no key is not overwritten', async (t) => {
  const place = await anInstallation(t)
  await place.start()
  await writeFile(place.file, 'lost\n')
  await assert.rejects(place.start(), /does not hold a key of 32 bytes/)
  assert.equal(await readFile(place.file, 'utf8'), 'lost\n')
})

test('while nothing is stored, another key may come', async (t) => {
  const place = await anInstallation(t)
  await place.start()
  const secretKey = randomBytes(32)
  const stored = await store(place.db, await place.start({ secretKey }), 'canary')
  assert.equal((await place.start({ secretKey })).open({ ...places, ...stored }, await sealedIn(place.db)), 'canary')
})

/** Servers with a data directory each and one database. */
async function twoServers(t: TestContext): Promise<[Place, Place]> {
  const url = await migratedDatabase(t)
  return [await anInstallation(t, url, url), await anInstallation(t, url, url)]
}

test('a second server starts with the key of the first and no other, though nothing is stored yet', async (t) => {
  const [first, second] = await twoServers(t)
  const one = await first.start()
  await assert.rejects(second.start(), /is missing: restore .* No secret is stored yet: if that key is lost, /)
  await assert.rejects(stat(second.file), /ENOENT/, 'no key is left behind that is not the right one')
  await assert.rejects(second.start({ secretKey: randomBytes(32) }), /^Error: SECRET_KEY is not the key of the stored/)
  const stored = await store(first.db, one, 'canary')
  const secretKey = Buffer.from(await readFile(first.file, 'utf8'), 'base64')
  const other = await second.start({ secretKey })
  assert.equal(other.open({ ...places, ...stored }, await sealedIn(second.db)), 'canary')
})

test('of two servers that bring a key of their own at the same moment, one starts', async (t) => {
  const [first, second] = await twoServers(t)
  const [one, two] = await Promise.all([first.open(), second.open()])
  const settled = await Promise.allSettled([one.settle(), two.settle()])
  assert.deepEqual(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const lost = settled.find((outcome) => outcome.status === 'rejected')
  assert.match(String(lost?.reason), /secret\.key is not the key of the stored secrets/)
})

test('a start with two keys moves everything to the new one, and the old one can go', async (t) => {
  const place = await anInstallation(t)
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const stored = await store(place.db, await place.start({ secretKey: old }), 'canary')
  const sealed = await sealedIn(place.db)
  const during = await place.start({ secretKey: fresh, previousSecretKey: old })
  const resealed = await sealedIn(place.db)
  assert.notEqual(keyIdOf(resealed), keyIdOf(sealed))
  assert.equal(during.open({ ...places, ...stored }, resealed), 'canary')
  // What another server, not yet started anew, wrote meanwhile.
  assert.equal(during.open({ ...places, ...stored }, sealed), 'canary')
  const after = await place.start({ secretKey: fresh })
  assert.equal(after.open({ ...places, ...stored }, resealed), 'canary')
  await assert.rejects(place.start({ secretKey: old }), /is not the key/)
  assert.match(place.log.join(), /SECRET_KEY_PREVIOUS can go/)
})

test('a value that was left under the old key keeps a start without it from happening', async (t) => {
  const place = await anInstallation(t)
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  await store(place.db, await place.start({ secretKey: old }), 'canary')
  const sealed = await sealedIn(place.db)
  await place.start({ secretKey: fresh, previousSecretKey: old })
  await place.db.updateTable('variables').set({ sealed_value: sealed }).execute()
  await assert.rejects(place.start({ secretKey: fresh }), /is not the key/)
  await place.start({ secretKey: fresh, previousSecretKey: old })
  await place.start({ secretKey: fresh })
})

test('a value that does not open stops the change of keys and changes nothing', async (t) => {
  const place = await anInstallation(t)
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  await store(place.db, await place.start({ secretKey: old }), 'canary')
  const sealed = await sealedIn(place.db)
  await place.db
    .updateTable('variables')
    .set({ sealed_value: `${sealed.slice(0, -4)}AAAA` })
    .execute()
  const before = await state(place)
  await assert.rejects(place.start({ secretKey: fresh, previousSecretKey: old }), /cannot be decrypted/)
  assert.deepEqual(await state(place), before)
})
