/** Runners: who has signed in, and who was seen when. */
import { abilityWords, nextQuarantine, type Quarantine } from '@vedette/core'
import type { Abilities, Isolation, ScriptLoad } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { FreedRun } from './lease-store.ts'

export interface RunnerRow {
  id: number
  builtIn: boolean
  locationNo: number | null
  /** What it can execute: see `abilityWords`. */
  words: readonly string[]
}

/** Undefined when the key was deleted meanwhile. */
export async function addRunner(
  db: Db,
  runner: {
    keyId: string
    name: string
    version: string
    abilities: Abilities
    controls: string[]
    builtIn: boolean
  },
): Promise<number | undefined> {
  const said = asColumns(runner.abilities)
  const row = await db
    .insertInto('runners')
    .columns([
      'key_id',
      'name',
      'version',
      'kinds',
      'runtimes',
      'browser',
      'records_video',
      'controls',
      'built_in',
      'location_no',
    ])
    .expression((eb) =>
      eb
        .selectFrom('location_keys')
        .select((e) => [
          'location_keys.id as key_id',
          e.val(runner.name).as('name'),
          e.val(runner.version).as('version'),
          sql<string[]>`${said.kinds}::text[]`.as('kinds'),
          sql<string>`${said.runtimes}::jsonb`.as('runtimes'),
          sql<string | null>`${said.browser}::jsonb`.as('browser'),
          sql<boolean>`${said.recordsVideo}::boolean`.as('records_video'),
          sql<string[]>`${runner.controls}::text[]`.as('controls'),
          sql<boolean>`${runner.builtIn}::boolean`.as('built_in'),
          'location_keys.location_no',
        ])
        .where('location_keys.id', '=', runner.keyId),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** False once the runner has signed out or its key was deleted. */
export async function isRunnerKnown(db: Db, runnerId: number): Promise<boolean> {
  const row = await db.selectFrom('runners').select('id').where('id', '=', runnerId).executeTakeFirst()
  return row !== undefined
}

/** Marks the runner as seen. Undefined when it is not known with this key. */
export async function seeRunner(
  db: Db,
  runnerId: number,
  keyId: string,
  trouble: string | null | undefined,
): Promise<RunnerRow | undefined> {
  const row = await db
    .updateTable('runners')
    .set({ last_seen_at: sql<Date>`now()`, ...(trouble === undefined ? {} : { trouble }) })
    .where('id', '=', runnerId)
    .where('key_id', '=', keyId)
    .returning(['id', 'built_in', 'location_no', 'kinds', 'runtimes'])
    .executeTakeFirst()
  return row && { id: row.id, builtIn: row.built_in, locationNo: row.location_no, words: abilityWords(row) }
}

/** Notes what a heartbeat says of the runner’s controls: whether it is believed is a rule of `core`. */
export async function noteControls(db: Db, runnerId: number, cutOff: string | null): Promise<void> {
  const { rows } = await sql<{
    quarantined_at: Date | null
    quarantine_reason: string | null
    contrary: number
    now: Date
  }>`
    select quarantined_at, quarantine_reason, contrary_beats as contrary, now() as now from runners where id = ${runnerId}`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) return
  const { quarantined_at: at, quarantine_reason: reason, contrary } = row
  const before: Quarantine = { since: at === null || reason === null ? null : { atMs: at.getTime(), reason }, contrary }
  const { since, contrary: contraryNow } = nextQuarantine(before, cutOff, row.now.getTime())
  if (since?.reason === before.since?.reason && contraryNow === contrary) return
  await db
    .updateTable('runners')
    .set({
      quarantined_at: since === null ? null : new Date(since.atMs),
      quarantine_reason: since?.reason ?? null,
      contrary_beats: contraryNow,
    })
    .where('id', '=', runnerId)
    .execute()
}

export async function noteScriptLoad(db: Db, runnerId: number, load: ScriptLoad): Promise<void> {
  await sql`
    update runners set script_load = ${JSON.stringify(load)}::jsonb
    where id = ${runnerId} and script_load is distinct from ${JSON.stringify(load)}::jsonb`.execute(db)
}

export async function noteIsolation(db: Db, runnerId: number, isolation: Isolation): Promise<void> {
  await sql`
    update runners set isolation = ${JSON.stringify(isolation)}::jsonb
    where id = ${runnerId} and isolation is distinct from ${JSON.stringify(isolation)}::jsonb`.execute(db)
}

function asColumns({ kinds, runtimes = [], browser = null, recordsVideo = false }: Abilities) {
  return {
    kinds,
    runtimes: JSON.stringify(runtimes),
    browser: browser === null ? null : JSON.stringify(browser),
    recordsVideo,
  }
}

/** Whether anything has changed. */
export async function noteAbilities(db: Db, runnerId: number, abilities: Abilities): Promise<boolean> {
  const { kinds, runtimes, browser, recordsVideo } = asColumns(abilities)
  const { rows } = await sql`
    update runners set kinds = ${kinds}::text[], runtimes = ${runtimes}::jsonb, browser = ${browser}::jsonb, records_video = ${recordsVideo}
    where id = ${runnerId} and (kinds, runtimes, browser, records_video)
      is distinct from (${kinds}::text[], ${runtimes}::jsonb, ${browser}::jsonb, ${recordsVideo}::boolean)
    returning id`.execute(db)
  return rows.length > 0
}

/** Written when it changes by so much that somebody could care: a heartbeat travels some time. */
const CLOCK_CHANGE_MS = 500

export async function noteClock(db: Db, runnerId: number, aheadMs: number): Promise<void> {
  await sql`
    update runners set clock_ahead_ms = ${Math.round(aheadMs)}
    where id = ${runnerId} and (clock_ahead_ms is null or abs(clock_ahead_ms - ${Math.round(aheadMs)}) > ${CLOCK_CHANGE_MS})`.execute(
    db,
  )
}

export async function forgetRunner(db: Db, runnerId: number): Promise<void> {
  await db.deleteFrom('runners').where('id', '=', runnerId).execute()
}

/**
 * Takes back what the installation's own runners held that are known to be dead, and forgets them: nobody has to wait
 * until they are missed.
 *
 * @param keyId those that signed in with this key; null: all
 */
export async function buryBuiltInRunners(db: Db, keyId: string | null): Promise<FreedRun[]> {
  const { rows } = await sql<{ id: number; location_no: number; losses: number }>`
    with dead as (
      delete from runners where built_in and (${keyId}::uuid is null or key_id = ${keyId}::uuid) returning id
    ), lost as (
      select s.check_no, s.id from schedule s join dead on dead.id = s.runner_id
      where s.lease_id is not null for update of s skip locked)
    update schedule s set lease_id = null, runner_id = null, leased_at = null, losses = losses + 1
    from lost where s.check_no = lost.check_no and s.id = lost.id
    returning s.id, s.location_no, s.losses`.execute(db)
  return rows.map((row) => ({ id: row.id, locationNo: row.location_no, losses: row.losses }))
}

export async function forgetOldRunners(db: Db): Promise<void> {
  await sql`delete from runners where last_seen_at < now() - interval '1 day'`.execute(db)
}
