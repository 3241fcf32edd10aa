import type { AlertType, ChannelType, DecisionInputs, DecisionRule, TargetState, WithheldReason } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import { deliveryId } from './delivery-id.ts'

export interface NewDecision {
  checkNo: number
  atMs: number
  checkRunId: number | null
  resultId: string | null
  from: TargetState | null
  to: TargetState | null
  alertType: AlertType
  rule: DecisionRule
  inputs: DecisionInputs
  due: boolean
  muted: boolean
}

export interface ChannelOutcome {
  channelId: number
  because: WithheldReason | null
}

/** One statement, however many there are. */
export async function insertDecisions(
  tx: Db,
  decisions: readonly (NewDecision & { alertId: number | null; channels: readonly ChannelOutcome[] })[],
): Promise<void> {
  if (decisions.length === 0) return
  await sql`
    insert into alert_decisions (check_no, at, check_run_id, result_id, from_state, to_state, alert_type, rule, inputs, due,
      muted, alert_id, channels)
    select "checkNo", to_timestamp("atMs" / 1000), "checkRunId", "resultId", "from", "to", "alertType", rule, inputs, due,
      muted, "alertId", channels
    from jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb) as t("checkNo" int, "atMs" float8, "checkRunId" bigint,
      "resultId" uuid, "from" text, "to" text, "alertType" text, rule text, inputs jsonb, due boolean, muted boolean,
      "alertId" bigint, channels jsonb)`.execute(tx)
}

/**
 * Notes of every check in maintenance that its pause has begun, once. Returns of how many. What is noted already is left
 * out before the insert, because one that only conflicts writes to the row that it finds, and this is done every few seconds.
 */
export async function noteMaintenance(db: Db, nowMs: number): Promise<number> {
  const now = new Date(nowMs)
  const { rows } = await sql`
    with paused as (
      select c.no, c.paused_from, s.state, c.effective_muted,
        jsonb_build_object('until', to_char(c.paused_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as inputs
      from checks c join check_states s on s.check_no = c.no
      where c.paused_from <= ${now} and c.paused_until > ${now} and c.effective_activated
    )
    insert into alert_decisions (check_no, at, from_state, alert_type, rule, inputs, due, muted, channels)
    select p.no, p.paused_from, p.state, 'NO_ALERT', 'in-maintenance', p.inputs, false, p.effective_muted, '[]'
    from paused p
    where not exists (select from alert_decisions d
      where d.check_no = p.no and d.at = p.paused_from and d.rule = 'in-maintenance' and d.inputs = p.inputs)
    on conflict (check_no, at) where rule = 'in-maintenance'
      do update set inputs = excluded.inputs where alert_decisions.inputs <> excluded.inputs
    returning check_no`.execute(db)
  return rows.length
}

export interface StoredDecision extends NewDecision {
  id: number
  alertId: number | null
  channels: (ChannelOutcome & { type: ChannelType | null; digestId: string | null })[]
  decidedAt: Date
}

/** Newest first. */
export async function listDecisions(
  db: Db,
  checkNo: number,
  { fromMs, toMs, limit, offset }: { fromMs: number; toMs: number; limit: number; offset: number },
): Promise<{ decisions: StoredDecision[]; total: number }> {
  const wanted = db
    .selectFrom('alert_decisions')
    .where('check_no', '=', checkNo)
    .where('at', '>=', new Date(fromMs))
    .where('at', '<', new Date(toMs))
  const { total } = await wanted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await wanted
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const ids = [...new Set(rows.flatMap(({ channels }) => channels.map(({ channelId }) => channelId)))]
  const types = new Map(
    ids.length === 0
      ? []
      : (await db.selectFrom('alert_channels').select(['id', 'type']).where('id', 'in', ids).execute()).map(
          ({ id, type }) => [id, type] as const,
        ),
  )
  const digests = await digestsOf(
    db,
    rows.flatMap((row) =>
      row.channels.flatMap(({ channelId, because }) => (because === null ? [notificationOf(row, channelId)] : [])),
    ),
  )
  return {
    total,
    decisions: rows.map((row) => ({
      id: row.id,
      checkNo: row.check_no,
      atMs: row.at.getTime(),
      checkRunId: row.check_run_id,
      resultId: row.result_id,
      from: row.from_state,
      to: row.to_state,
      alertType: row.alert_type,
      rule: row.rule,
      inputs: row.inputs,
      due: row.due,
      muted: row.muted,
      alertId: row.alert_id,
      channels: row.channels.map((channel) => {
        const digestId = digests.get(notificationOf(row, channel.channelId)) ?? null
        const because = channel.because === null && digestId !== null ? 'over-limit' : channel.because
        return { ...channel, because, digestId, type: types.get(channel.channelId) ?? null }
      }),
      decidedAt: row.decided_at,
    })),
  }
}

/** The notification that came of a decision, were there one. */
function notificationOf(
  row: { result_id: string | null; alert_type: AlertType; inputs: DecisionInputs },
  channelId: number,
): string {
  return deliveryId(row.result_id ?? '', channelId, row.alert_type, row.inputs.reminder?.sequence ?? 0)
}

/** By notification: the digest that tells of it in its place. */
async function digestsOf(db: Db, notifications: readonly string[]): Promise<Map<string, string>> {
  if (notifications.length === 0) return new Map()
  const { rows } = await sql<{ id: string; digest_id: string }>`
    select id, digest_id from notifications
    where id = any(${plainArray(notifications)}::uuid[]) and digest_id is not null`.execute(db)
  return new Map(rows.map((row) => [row.id, row.digest_id]))
}
