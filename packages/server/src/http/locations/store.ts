import { randomUUID } from 'node:crypto'
import { type AbleRunner, scriptsAt, weakestIsolation } from '@vedette/core'
import type {
  DataCenter,
  Isolation,
  LocationKey,
  LocationScripts,
  PrivateLocation,
  PrivateLocationCreate,
  PrivateLocationUpdate,
} from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { maskedKey, type NewKey } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { openProxyUrl, sealProxyUrl } from '../../scheduling/location-secrets.ts'
import type { Secrets } from '../../secrets/secrets.ts'

type SaidOfScripts = Pick<AbleRunner, keyof LocationScripts>

export async function listPrivateLocations(
  db: Db,
  secrets: Secrets,
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
  const { rows: seen } = await sql<{
    location_no: number
    last_seen: Date
    alive: number
    quarantine: string | null
    isolations: (Isolation | null)[] | null
    abilities: SaidOfScripts[] | null
  }>`
    select location_no, max(last_seen_at) as last_seen, count(*) filter (where alive) as alive,
      case when bool_and(quarantine_reason is not null) filter (where alive) then min(quarantine_reason) filter (where alive) end as quarantine,
      jsonb_agg(isolation) filter (where alive) as isolations,
      jsonb_agg(jsonb_build_object('runtimes', runtimes, 'browser', browser, 'recordsVideo', records_video)) filter (where alive) as abilities
    from (select *, last_seen_at > now() - interval '15 seconds' as alive from runners) r
    where location_no = any(${numbers}::int[]) group by location_no`.execute(db)
  const assigned = await assignments(db, accountId)
  return rows.map((row) => {
    const runners = seen.find((entry) => entry.location_no === row.no)
    return {
      ...present(secrets, row),
      keys: keys.filter((key) => key.location_no === row.no).map((key) => presentKey(key, '')),
      lastSeen: runners?.last_seen.toISOString() ?? null,
      agentCount: runners?.alive ?? 0,
      quarantine: runners?.quarantine ?? null,
      isolation: weakestIsolation(runners?.isolations ?? []),
      scripts: scriptsAt(runners?.abilities ?? []),
      checkAssignments: assigned.checks
        .filter((entry) => entry.slug === row.slug)
        .map((entry) => ({ id: `${row.id}/${entry.id}`, checkId: entry.id, privateLocationId: row.id })),
      groupAssignments: assigned.groups
        .filter((entry) => entry.slug === row.slug)
        .map((entry) => ({ id: `${row.id}/${entry.id}`, groupId: entry.id, privateLocationId: row.id })),
    }
  })
}

/** Which checks and groups name which private locations. */
async function assignments(db: Db, accountId: string) {
  const named = sql`jsonb_array_elements_text(
    case jsonb_typeof(settings->'privateLocations') when 'array' then settings->'privateLocations' else '[]' end)`
  const { rows: checks } = await sql<{ slug: string; id: string }>`
    select l.slug, checks.id from checks, ${named} as l(slug)
    where account_id = ${accountId} order by created_at, no`.execute(db)
  const { rows: groups } = await sql<{ slug: string; id: number }>`
    select l.slug, check_groups.id from check_groups, ${named} as l(slug)
    where account_id = ${accountId} order by check_groups.id`.execute(db)
  return { checks, groups }
}

/** Undefined when the slug is taken. */
export async function insertPrivateLocation(
  tx: Db,
  secrets: Secrets,
  accountId: string,
  location: PrivateLocationCreate,
  key: NewKey,
): Promise<PrivateLocation | undefined> {
  const id = randomUUID()
  const row = await tx
    .insertInto('locations')
    .values({
      id,
      account_id: accountId,
      slug: location.slugName,
      name: location.name,
      icon: location.icon ?? 'location',
      sealed_proxy_url: sealProxyUrl(secrets, { id, accountId }, location.proxyUrl ?? null),
    })
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { ...present(secrets, row), keys: [await insertKey(tx, row.no, key)] }
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
  tx: Db,
  secrets: Secrets,
  accountId: string,
  id: string,
  { name, icon, proxyUrl }: PrivateLocationUpdate,
): Promise<void> {
  await tx
    .updateTable('locations')
    .set({
      name,
      updated_at: sql<Date>`now()`,
      ...(icon === undefined ? {} : { icon }),
      ...(proxyUrl === undefined ? {} : { sealed_proxy_url: sealProxyUrl(secrets, { id, accountId }, proxyUrl) }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Held until the transaction ends, if it is one that changes the location. */
export async function findLocation(
  db: Db,
  accountId: string,
  id: string,
  forUpdate = false,
): Promise<{ no: number } | undefined> {
  return db
    .selectFrom('locations')
    .select('no')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .$if(forUpdate, (q) => q.forUpdate())
    .executeTakeFirst()
}

/** Whether runs stand in the schedule of the location, in hand or between two attempts. */
export async function hasRuns(tx: Db, locationNo: number): Promise<boolean> {
  const row = await tx
    .selectFrom('schedule')
    .select('id')
    .where('location_no', '=', locationNo)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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

/** Returns what was deleted. */
export async function deleteKey(tx: Db, locationNo: number, keyId: string): Promise<LocationKey | undefined> {
  const row = await tx
    .deleteFrom('location_keys')
    .where('location_no', '=', locationNo)
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirst()
  return row && presentKey(row, '')
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

function present(secrets: Secrets, row: Selectable<Tables['locations']>): PrivateLocation {
  return {
    id: row.id,
    name: row.name,
    slugName: row.slug,
    icon: row.icon,
    proxyUrl: openProxyUrl(secrets, { id: row.id, accountId: row.account_id, sealedProxyUrl: row.sealed_proxy_url }),
    keys: [],
    lastSeen: null,
    agentCount: null,
    quarantine: null,
    isolation: null,
    scripts: null,
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
