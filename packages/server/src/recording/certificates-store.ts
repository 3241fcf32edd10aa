import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

export interface WatchedCertificate {
  checkNo: number
  host: string
  fingerprint: string
  expiresAtMs: number
}

/** Writes what is new, and once an hour what is not. Answers the checks of which something was written. */
export async function watchCertificates(
  tx: Db,
  seen: readonly WatchedCertificate[],
  nowMs: number,
): Promise<Set<number>> {
  const now = new Date(nowMs)
  const { rows } = await sql<{ check_no: number }>`
    /* prepared: watch-certificates */
    insert into check_certificates as known (check_no, host, fingerprint, expires_at, seen_at)
    select t.check_no, t.host, t.fingerprint, t.expires_at, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(
      seen.map(({ checkNo, host, fingerprint, expiresAtMs }) => ({
        check_no: checkNo,
        host,
        fingerprint,
        expires_at: new Date(expiresAtMs),
      })),
    )}::jsonb) as t(check_no int, host text, fingerprint text, expires_at timestamptz)
    order by t.check_no
    on conflict (check_no) do update
    set host = excluded.host, fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, seen_at = excluded.seen_at
    where (known.host, known.fingerprint) <> (excluded.host, excluded.fingerprint)
      or known.seen_at <= excluded.seen_at - interval '1 hour'
    returning check_no`.execute(tx)
  return new Set(rows.map((row) => row.check_no))
}

/** Takes the day's alert of each certificate. Answers the checks whose certificate was not told of on this day. */
export async function takeAlertsOfDay(
  tx: Db,
  expiring: readonly WatchedCertificate[],
  day: string,
): Promise<Set<number>> {
  const { rows } = await sql<{ check_no: number }>`
    insert into certificate_alerts as told (check_no, fingerprint, alerted_on)
    select check_no, fingerprint, ${day}::date
    from unnest(${plainArray(expiring.map((one) => one.checkNo))}::int[], ${plainArray(expiring.map((one) => one.fingerprint))}::text[])
      as t(check_no, fingerprint)
    on conflict (check_no, fingerprint) do update set alerted_on = excluded.alerted_on
    where told.alerted_on < excluded.alerted_on
    returning check_no`.execute(tx)
  return new Set(rows.map((row) => row.check_no))
}
