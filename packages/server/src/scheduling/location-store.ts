/** Where runs can take place, and who is there to run them. */
import type { AbleRunner } from '@vedette/core'
import {
  CURRENT_RUNTIME,
  type Isolation,
  type RunnableKind,
  type RunnerBrowser,
  type RunnerRuntime,
  type RuntimeId,
} from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface LocationRow {
  no: number
  id: string
  accountId: string | null
  slug: string
  name: string
  sealedProxyUrl: string | null
}

export async function loadLocations(db: Db): Promise<LocationRow[]> {
  const rows = await db.selectFrom('locations').selectAll().orderBy('no').execute()
  return rows.map((row) => ({
    no: row.no,
    id: row.id,
    accountId: row.account_id,
    slug: row.slug,
    name: row.name,
    sealedProxyUrl: row.sealed_proxy_url,
  }))
}

export interface LiveRunner extends AbleRunner {
  id: number
  builtIn: boolean
  locationNo: number | null
  quarantine: string | null
}

export async function loadLiveRunners(db: Db, lostAfterMs: number): Promise<LiveRunner[]> {
  const { rows } = await sql<{
    id: number
    built_in: boolean
    location_no: number | null
    kinds: RunnableKind[]
    quarantine: string | null
    isolation: Isolation | null
    runtimes: RunnerRuntime[]
    browser: RunnerBrowser | null
    records_video: boolean
  }>`
    select id, built_in, location_no, kinds, quarantine_reason as quarantine, isolation, runtimes, browser, records_video from runners
    where last_seen_at > now() - ${lostAfterMs} * interval '1 millisecond'`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    builtIn: row.built_in,
    locationNo: row.location_no,
    kinds: row.kinds,
    quarantine: row.quarantine,
    isolation: row.isolation,
    runtimes: row.runtimes,
    browser: row.browser,
    recordsVideo: row.records_video,
  }))
}

/** Of accounts whose checks run with another runtime than the current one where they name none. */
export async function loadAccountRuntimes(db: Db): Promise<ReadonlyMap<string, RuntimeId>> {
  const { rows } = await sql<{ id: string; runtime_id: RuntimeId }>`
    select id, runtime_id from accounts where runtime_id <> ${CURRENT_RUNTIME}`.execute(db)
  return new Map(rows.map((row) => [row.id, row.runtime_id]))
}

/** Data centers in the order named, then private locations in the order named. */
export async function locationNumbers(
  db: Db,
  accountId: string,
  regions: readonly string[],
  slugs: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    select l.no from locations l
    join (select slug, false as private, place from unnest(${regions}::text[]) with ordinality as r(slug, place)
          union all
          select slug, true, place from unnest(${slugs}::text[]) with ordinality as p(slug, place)) wanted
      on wanted.slug = l.slug and (case when wanted.private then l.account_id = ${accountId}::uuid else l.account_id is null end)
    order by wanted.private, wanted.place`.execute(db)
  return rows.map((row) => row.no)
}
