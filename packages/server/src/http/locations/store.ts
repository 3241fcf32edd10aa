import type {
  DataCenter,
  LocationKey,
  PrivateLocation,
  PrivateLocationCreate,
  PrivateLocationUpdate,
} from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { maskedKey, type NewKey } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export async function listPrivateLocations(
  db: Db,
  accountId: string,
  id: string | null = null,
): Promise<PrivateLocation[]> {
  const rows = await db
    .selectFrom('locations')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(id !== null, (q) => q.where('id', '=', id ?? ''))
    .orderBy('created_at')
    .orderBy('no')
    .execute()
  const numbers = rows.map((row) => row.no)
  if (numbers.length === 0) return []
  const keys = await db
    .selectFrom('location_keys')
    .selectAll()
    .where('location_no', 'in', numbers)
    .orderBy('created_at')
    .execute()
  const { rows: seen } = await sql<{ location_no: number; last_seen: Date; alive: number }>`
    select location_no, max(last_seen_at) as last_seen, count(*) filter (where last_seen_at > now() - interval '15 seconds') as alive
    from runners where location_no = any(${numbers}::int[]) group by location_no`.execute(db)
  const { rows: assigned } = await sql<{ slug: string; check_id: string }>`
    select l.slug, c.id as check_id from checks c, jsonb_array_elements_text(c.settings->'privateLocations') as l(slug)
    where c.account_id = ${accountId} order by c.created_at, c.no`.execute(db)
  return rows.map((row) => {
    const runners = seen.find((entry) => entry.location_no === row.no)
    return {
      ...present(row),
      keys: keys.filter((key) => key.location_no === row.no).map((key) => presentKey(key, '')),
      lastSeen: runners?.last_seen.toISOString() ?? null,
      agentCount: runners?.alive ?? 0,
      checkAssignments: assigned
        .filter((entry) => entry.slug === row.slug)
        .map((entry) => ({ id: `${row.id}/${entry.check_id}`, checkId: entry.check_id, privateLocationId: row.id })),
    }
  })
}

/** Undefined when the slug is taken. */
export async function insertPrivateLocation(
  tx: Db,
  accountId: string,
  location: PrivateLocationCreate,
  key: NewKey,
): Promise<PrivateLocation | undefined> {
  const row = await tx
    .insertInto('locations')
    .values({
      account_id: accountId,
      slug: location.slugName,
      name: location.name,
      icon: location.icon ?? 'location',
      proxy_url: location.proxyUrl ?? null,
    })
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { ...present(row), keys: [await insertKey(tx, row.no, key)] }
}

export async function insertKey(tx: Db, locationNo: number, key: NewKey): Promise<LocationKey> {
  const row = await tx
    .insertInto('location_keys')
    .values({ location_no: locationNo, key_hash: key.hash, last_characters: key.lastCharacters })
    .returningAll()
    .executeTakeFirstOrThrow()
  return presentKey(row, key.raw)
}

export async function updatePrivateLocation(
  db: Db,
  accountId: string,
  id: string,
  { name, icon, proxyUrl }: PrivateLocationUpdate,
): Promise<boolean> {
  const row = await db
    .updateTable('locations')
    .set({
      name,
      updated_at: sql<Date>`now()`,
      ...(icon === undefined ? {} : { icon }),
      ...(proxyUrl === undefined ? {} : { proxy_url: proxyUrl }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('no')
    .executeTakeFirst()
  return row !== undefined
}

export async function lockLocation(
  tx: Db,
  accountId: string,
  id: string,
): Promise<{ no: number; slug: string } | undefined> {
  return tx
    .selectFrom('locations')
    .select(['no', 'slug'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function isInUse(tx: Db, accountId: string, slug: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from checks where account_id = ${accountId} and settings->'privateLocations' ? ${slug} limit 1`.execute(tx)
  return rows.length > 0
}

export async function deleteLocation(tx: Db, no: number): Promise<void> {
  await tx.deleteFrom('locations').where('no', '=', no).execute()
}

export async function listKeys(db: Db, locationNo: number): Promise<LocationKey[]> {
  const rows = await db
    .selectFrom('location_keys')
    .selectAll()
    .where('location_no', '=', locationNo)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => presentKey(row, ''))
}

export async function countKeys(tx: Db, locationNo: number): Promise<number> {
  const { total } = await tx
    .selectFrom('location_keys')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('location_no', '=', locationNo)
    .executeTakeFirstOrThrow()
  return total
}

export async function deleteKey(tx: Db, locationNo: number, keyId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('location_keys')
    .where('location_no', '=', locationNo)
    .where('id', '=', keyId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function dataCenterNumber(db: Db, region: DataCenter): Promise<number> {
  const { no } = await db
    .selectFrom('locations')
    .select('no')
    .where('account_id', 'is', null)
    .where('slug', '=', region)
    .executeTakeFirstOrThrow()
  return no
}

function present(row: Selectable<Tables['locations']>): PrivateLocation {
  return {
    id: row.id,
    name: row.name,
    slugName: row.slug,
    icon: row.icon,
    proxyUrl: row.proxy_url,
    keys: [],
    lastSeen: null,
    agentCount: null,
    checkAssignments: [],
    groupAssignments: [],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}

function presentKey(row: Selectable<Tables['location_keys']>, rawKey: string): LocationKey {
  return {
    id: row.id,
    rawKey,
    maskedKey: maskedKey(row.last_characters),
    created_at: row.created_at.toISOString(),
    updated_at: null,
  }
}
