/**
 * What is stored of generated histories, against the naive model of the rules: decisions, alerts, notifications and
 * reminders. Runs end at instants of the past, as the history says; the database, the API and the recording are real.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { histories } from '../packages/core/src/testing/alert-histories.ts'
import {
  LOOKS_AFTER_MS,
  MINUTE_MS,
  type NaiveAttempt,
  type NaiveConfig,
  type NaiveDecision,
  type NaiveHistory,
  naiveAlerts,
} from '../packages/core/src/testing/naive-alerts.ts'
import { type ApiCheck, type CheckGroup, routes } from '../packages/schema/src/index.ts'
import { sendReminders } from '../packages/server/src/recording/reminders.ts'
import { makeCheck } from '../packages/server/src/testing/checks.ts'
import { aReport, type FakeRunner, signInRunner } from '../packages/server/src/testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../packages/server/src/testing/test-server.ts'

const HISTORIES = 24
const DAY_MS = 86_400_000
const PLACES = ['us-east-1', 'eu-west-1', 'ap-northeast-1'] as const
const CHANNELS = 4
const MOST_HAPPENINGS = 20

interface World {
  server: TestServer
  runner: FakeRunner
  /** Numbered in the model from 1. */
  channels: number[]
}

test('what is stored of a history is what the whole of it asks for', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const channels: number[] = []
  for (let no = 1; no <= CHANNELS; no += 1) {
    const config = { name: `channel ${no}`, url: `http://channel-${no}.test/` }
    const body = { type: 'WEBHOOK' as const, config }
    channels.push((await server.call(routes.createAlertChannel, { body })).id)
  }
  const world = { server, runner, channels }
  const places = fc.integer({ min: 1, max: PLACES.length })
  const everything = { due: 0, withheld: 0, reminders: 0, steady: 0 }
  await fc.assert(
    fc.asyncProperty(histories, places, fc.boolean(), async (generated, places, steady) => {
      const history = asRun(generated, places, steady)
      const expected = naiveAlerts(history)
      const { check, group } = await setUp(world, history, places)
      await live(world, check, group, history)
      const worth = expected.filter(({ rule }) => rule !== 'all-is-well')
      assert.deepEqual(await storedDecisions(world, check), worth.map(asStored))
      const alerts = worth.filter(({ due, muted, reminder }) => due && !muted && reminder === 0)
      assert.deepEqual(
        await storedAlerts(world, check),
        alerts.map(({ alertType }) => alertType),
      )
      assert.deepEqual((await storedNotifications(world, check)).sort(), worth.flatMap(messagesOf).sort())
      everything.due += alerts.length
      everything.reminders += worth.filter(({ reminder }) => reminder > 0).length
      everything.withheld += worth.flatMap(({ told }) => told.filter(({ because }) => because !== null)).length
      if (steady) {
        everything.steady += 1
        assert.deepEqual(await replayed(world, check, history), worth.filter(({ due }) => due).map(asReplayed))
      }
      await server.call(routes.deleteCheck, { params: { id: check.id } })
      if (group !== null) await server.call(routes.deleteCheckGroup, { params: { id: group.id } })
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  )
  for (const [what, count] of Object.entries(everything)) assert.ok(count > 0, `there was no ${what}`)
})

/**
 * The history as a check can go through it: in as many places all the time, in the last hours, without retries that wait.
 * A steady one keeps its settings.
 */
function asRun({ happenings }: NaiveHistory, places: number, steady: boolean): NaiveHistory {
  const kept = happenings
    .filter(({ kind }, index) => index === 0 || kind === 'run' || !steady)
    .slice(0, MOST_HAPPENINGS)
  const [first] = kept
  assert.ok(first?.kind === 'configured')
  const untilMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const shiftMs = untilMs - 20 * MINUTE_MS - Math.max(...kept.map(({ atMs }) => atMs))
  const hasGroup = first.config.group !== null
  const calm = steady ? { muted: false, activated: true } : {}
  const fit = (config: NaiveConfig): NaiveConfig => ({
    ...config,
    check: { ...config.check, ...calm },
    group: hasGroup ? { ...OPEN, ...config.group, version: 2, ...calm } : null,
    retries: config.retries && { ...config.retries, baseBackoffSeconds: 0, maxDurationSeconds: 600 },
  })
  return {
    windows: [],
    untilMs,
    happenings: kept.map((happening) => {
      const atMs = happening.atMs + shiftMs
      if (happening.kind === 'configured') return { ...happening, atMs, config: fit(happening.config) }
      const seen = happening.locations
      const locations = Array.from({ length: places }, (_, place) => seen[place % seen.length] ?? [PASSED])
      return { ...happening, atMs, onDemand: false, locations }
    }),
  }
}

const PASSED: NaiveAttempt = { verdict: 'passed', networkError: false }
const OPEN = {
  version: 2 as const,
  useGlobalAlertSettings: null,
  alertSettings: { escalationType: 'RUN_BASED' as const },
  muted: false,
  activated: true,
}

async function setUp({ server }: World, { happenings }: NaiveHistory, places: number) {
  const [first] = happenings
  assert.ok(first?.kind === 'configured')
  const parts = { query: { autoAssignAlerts: false }, body: { name: 'Everything' } }
  const group = first.config.group && (await server.call(routes.createCheckGroup, parts))
  const check = await makeCheck(server, {
    locations: PLACES.slice(0, places),
    runParallel: places > 1,
    ...(group && { groupId: group.id }),
  })
  return { check, group }
}

async function live(world: World, check: ApiCheck, group: CheckGroup | null, history: NaiveHistory): Promise<void> {
  const { server } = world
  const at = (nowMs: number) => {
    server.recording.clock.nowMs = () => nowMs
  }
  for (const [index, happening] of history.happenings.entries()) {
    at(happening.atMs)
    if (happening.kind === 'configured') await configure(world, check, group, happening.config)
    else await run(world, check, happening.atMs, happening.locations)
    // Who reminds looks after each happening, and until the next one whenever a reminder is due.
    const untilMs = history.happenings[index + 1]?.atMs ?? history.untilMs
    for (let lookMs = happening.atMs + LOOKS_AFTER_MS; lookMs < untilMs; ) {
      at(lookMs)
      await sendReminders(server.recording)
      const due = await server.db.selectFrom('alert_reminders').select('due_at').executeTakeFirst()
      if (due === undefined) break
      const dueMinute = Math.ceil((due.due_at.getTime() - LOOKS_AFTER_MS) / MINUTE_MS)
      lookMs = Math.max(dueMinute * MINUTE_MS + LOOKS_AFTER_MS, lookMs + MINUTE_MS)
    }
  }
}

async function configure(
  { server, channels }: World,
  { id }: ApiCheck,
  group: CheckGroup | null,
  config: NaiveConfig,
): Promise<void> {
  await server.setAlertSettings(config.account)
  if (config.group !== null && group !== null) {
    const { version: _, ...settings } = config.group
    await server.call(routes.updateCheckGroup, { params: { id: group.id }, body: { name: group.name, ...settings } })
  }
  const alertChannelSubscriptions = config.subscriptions.map(({ channelId, activated }) => ({
    alertChannelId: channels[channelId - 1] ?? 0,
    activated,
  }))
  const body = { ...config.check, retryStrategy: config.retries, alertChannelSubscriptions }
  await server.call(routes.updateApiCheck, { params: { id }, body })
  for (const { channelId, sendFailure, sendRecovery, sendDegraded } of config.subscriptions) {
    await server.db
      .updateTable('alert_channels')
      .set({ send_failure: sendFailure, send_recovery: sendRecovery, send_degraded: sendDegraded })
      .where('id', '=', channels[channelId - 1] ?? 0)
      .execute()
  }
}

/** A run of the schedule with all its attempts, which ends now. */
async function run(
  { server, runner }: World,
  { id }: ApiCheck,
  endedAtMs: number,
  seen: readonly (readonly NaiveAttempt[])[],
): Promise<void> {
  const startedAtMs = endedAtMs - 1000
  const { no } = await server.db.selectFrom('checks').select('no').where('id', '=', id).executeTakeFirstOrThrow()
  const lanes = server.db.updateTable('schedule').where('check_no', '=', no)
  await lanes.set({ due_at: new Date(startedAtMs) }).execute()
  for (;;) {
    const leased = await runner.lease()
    if (leased.length === 0) return
    const reports = leased.map((run) => {
      const attempts = seen[placeOf(run.location)] ?? [PASSED]
      const { verdict, networkError } = attempts[Math.min(run.attempt, attempts.length) - 1] ?? PASSED
      return aReport(run, verdict, { startedAtMs, durationMs: 1000, networkError })
    })
    assert.equal((await runner.reportAll(reports)).accepted, reports.length)
    // Lanes that have ended wait for the next run of the history.
    const park = { due_at: new Date(Date.now() + DAY_MS) }
    const ended = await lanes.set(park).where('attempt', '=', 1).returning('id').execute()
    if (ended.length === seen.length) return
  }
}

const placeOf = (slug: string): number => PLACES.map(String).indexOf(slug)

type Stored = Pick<NaiveDecision, 'atMs' | 'rule' | 'alertType' | 'due' | 'muted' | 'inARow' | 'reminder' | 'told'>

const asStored = ({ atMs, rule, alertType, due, muted, inARow, reminder, told }: NaiveDecision): Stored => ({
  atMs,
  rule,
  alertType,
  due,
  muted,
  inARow,
  reminder,
  told: told.toSorted((a, b) => a.channelId - b.channelId),
})

async function storedDecisions({ server, channels }: World, { id }: ApiCheck): Promise<Stored[]> {
  const rows = await server.db
    .selectFrom('alert_decisions as d')
    .innerJoin('checks as c', 'c.no', 'd.check_no')
    .selectAll('d')
    .where('c.id', '=', id)
    .orderBy('d.id')
    .execute()
  return rows.map(({ at, rule, alert_type, due, muted, inputs, channels: told }) => ({
    atMs: at.getTime(),
    rule,
    alertType: alert_type,
    due,
    muted,
    inARow: inputs.runCount ?? null,
    reminder: inputs.reminder?.sequence ?? 0,
    told: told
      .map(({ channelId, because }) => ({ channelId: channels.indexOf(channelId) + 1, because }))
      .sort((a, b) => a.channelId - b.channelId),
  }))
}

async function storedAlerts({ server }: World, { id }: ApiCheck): Promise<string[]> {
  const rows = await server.db
    .selectFrom('check_alerts as a')
    .innerJoin('checks as c', 'c.no', 'a.check_no')
    .select('a.alert_type')
    .where('c.id', '=', id)
    .orderBy('a.id')
    .execute()
  return rows.map(({ alert_type }) => alert_type)
}

const messagesOf = ({ alertType, reminder, told }: NaiveDecision) =>
  told.flatMap(({ channelId, because }) => (because === null ? [`${channelId} ${alertType} ${reminder}`] : []))

async function storedNotifications({ server, channels }: World, { id }: ApiCheck): Promise<string[]> {
  const rows = await server.db
    .selectFrom('notifications')
    .select(['channel_id', 'message'])
    .where('check_id', '=', id)
    .execute()
  return rows.map(
    ({ channel_id, message }) =>
      `${channels.indexOf(channel_id) + 1} ${message.ALERT_TYPE} ${message.REMINDER_SEQUENCE}`,
  )
}

/** A replay reminds on time; who really does so looks a few seconds later. */
const asReplayed = ({ atMs, alertType, reminder }: NaiveDecision) =>
  `${reminder === 0 ? atMs : atMs - LOOKS_AFTER_MS} ${alertType} ${reminder}`

async function replayed({ server }: World, { id }: ApiCheck, { happenings, untilMs }: NaiveHistory): Promise<string[]> {
  const { live, draft, comparison } = await server.call(routes.replayAlerts, {
    params: { id },
    query: { from: String((happenings[0]?.atMs ?? untilMs) / 1000), to: String(Date.now() / 1000 + 1) },
    body: { alertSettings: { escalationType: 'TIME_BASED' } },
  })
  assert.equal(comparison.count, draft.count - live.count)
  return live.alerts.flatMap(({ at, alertType, reminder }) => {
    const atMs = Date.parse(at)
    return atMs < untilMs ? [`${atMs} ${alertType} ${reminder}`] : []
  })
}
