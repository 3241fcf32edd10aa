import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Need } from '@vedette/core'
import { type CheckKind, routes } from '@vedette/schema'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { recordGivenUp } from '../recording/record-reports.ts'
import { alertsOf, makeCheck, makeDue, plannedFor, resultsOf } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { someSettings } from '../testing/settings.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { nextSlotOf, slotsBetween } from './lanes.ts'
import type { LateRun } from './late-run-store.ts'
import { countSlots, type GivenUpRun, type LateOutcome, moveOnLateRuns, planLateRun } from './late-runs.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.UTC(2026, 5, 1, 12)

function aLateRun(given: Partial<LateRun> = {}): LateRun {
  return {
    id: 1,
    kind: 'API',
    no: 1,
    settings: someSettings({ locations: ['eu-west-1', 'us-east-1'] }),
    accountId: 'a',
    createdAt: new Date(NOW_MS),
    locationNo: 1,
    rotation: 0,
    parallel: false,
    dueAtMs: NOW_MS,
    checkRunId: null,
    losses: 0,
    opinionOn: null,
    pause: null,
    ...given,
  }
}

/** Locations 1 and 2; those named have a runner. */
const served = (...numbers: number[]) => ({
  numbersOf: () => [1, 2],
  servedBy: (no: number) => (numbers.includes(no) ? ('built-in' as const) : ('nobody' as const)),
  canJudge: (no: number) => numbers.includes(no),
  canRun: (no: number) => numbers.includes(no),
  needOf: ({ kind }: { kind: CheckKind }): Need => ({ kind, runtimeId: null }),
  whyUnable: (): string | null => null,
})

test('a run whose location has lost its runner moves to the next location that somebody serves', () => {
  const run = aLateRun()
  assert.deepEqual(planLateRun(run, served(2), NOW_MS + 6000), {
    move: { checkNo: 1, id: 1, dueAtMs: NOW_MS, locationNo: 2, rotation: 1, over: false },
    missed: null,
  })
})

test('a run whose location is in quarantine moves to one that is believed, and stays where none is', () => {
  const quarantined = (...numbers: number[]) => ({ ...served(1, 2), canJudge: (no: number) => !numbers.includes(no) })
  assert.equal(planLateRun(aLateRun(), quarantined(1), NOW_MS + 6000)?.move.locationNo, 2)
  assert.equal(planLateRun(aLateRun(), quarantined(1, 2), NOW_MS + 6000), null)
})

test('a second opinion that is not given in time goes back to the place whose failure is in question', () => {
  const asked = aLateRun({ locationNo: 2, opinionOn: 1 })
  assert.deepEqual(planLateRun(asked, served(1, 2), NOW_MS + 6000)?.move, {
    checkNo: 1,
    id: 1,
    dueAtMs: NOW_MS,
    locationNo: 1,
    rotation: 0,
    over: false,
  })
  assert.equal(planLateRun(aLateRun({ opinionOn: 1 }), served(1, 2), NOW_MS + 6000), null)
})

test('a run waits for a runner that is busy, and a parallel one for its own location', () => {
  assert.equal(planLateRun(aLateRun(), served(1, 2), NOW_MS + 6000), null)
  assert.equal(planLateRun(aLateRun({ parallel: true }), served(2), NOW_MS + 6000), null)
})

test('a run that nobody took is given up with its next slot, or after six minutes, and the reason is said', () => {
  const every10 = aLateRun()
  const next = nextSlotOf(every10, NOW_MS)
  const firstChance = Math.min(next, NOW_MS + 6 * MINUTE_MS)
  assert.equal(planLateRun(every10, served(1), firstChance - 1), null)
  assert.equal(planLateRun(every10, served(1), firstChance)?.missed?.reason, 'No runner took the run in time.')
  assert.equal(planLateRun(every10, served(), firstChance)?.missed?.reason, 'No runner serves this location.')
  const often = aLateRun({ settings: { ...every10.settings, frequency: 0, frequencyOffset: 10 } })
  assert.equal(planLateRun(often, served(1), NOW_MS + 10_000)?.missed?.slots, 2)
})

test('a run that has cost its runner three times is set aside at once', () => {
  const plan = planLateRun(aLateRun({ losses: 3 }), served(1, 2), NOW_MS + 6000)
  assert.equal(plan?.missed?.reason, 'Runners were lost 3 times with this run in hand.')
  assert.equal(plan?.move.over, true)
})

test('what is given up is counted from its own slot to the one at which the lane goes on, each slot once', () => {
  const run = fc.record({
    frequency: fc.constantFrom(1, 2, 5, 10, 60),
    waitedMs: fc.integer({ min: 5000, max: 100 * MINUTE_MS }),
    retriedMs: fc.integer({ min: 0, max: 5 * MINUTE_MS }),
  })
  fc.assert(
    fc.property(run, ({ frequency, waitedMs, retriedMs }) => {
      const settings = { ...aLateRun().settings, frequency }
      const slot = nextSlotOf(aLateRun({ settings }), NOW_MS)
      // The slot was begun, failed, and what is late is an attempt after it.
      const late = aLateRun({ settings, checkRunId: slot, dueAtMs: slot + retriedMs })
      const nowMs = late.dueAtMs + waitedMs
      const plan = planLateRun(late, served(1), nowMs)
      if (plan === null) return
      assert.equal(plan.missed?.slotAtMs, slot)
      assert.equal(plan.missed?.slots, countSlots(late, nowMs))
      assert.equal(1 + slotsBetween(late, slot, plan.move.dueAtMs - 1), plan.missed?.slots)
      assert.ok(plan.move.dueAtMs > nowMs)
    }),
  )
})

test('slots that nobody ran are recorded with their number and the reason, and the check goes on from the clock', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { frequency: 0, frequencyOffset: 10 })
  await makeDue(server, check, 35_000)
  await moveOn(server)
  const { missed } = await server.call(routes.checkTimeline, { params: { id: check.id } })
  assert.deepEqual(
    missed.map(({ count, reason, location }) => ({ count, reason, location })),
    [{ count: 4, reason: 'No runner serves this location.', location: 'us-east-1' }],
  )
  const [planned] = await plannedFor(server, check)
  assert.ok((planned?.dueAtMs ?? 0) > Date.now())
  const { coverage } = await server.call(routes.getOperations)
  assert.equal(coverage.missed, 4)
})

test('however many are late after a long absence, all are given up at once and none is made up for', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { frequency: 1 })
  await sql`
    insert into checks (account_id, kind, name, activated, muted, tags, settings, effective_activated, effective_muted,
      effective_tags, effective_settings)
    select account_id, kind, 'Copy', true, false, tags, settings, true, false, tags, settings from checks, generate_series(1, 2500)
    where id = ${check.id}`.execute(server.db)
  await sql`
    insert into schedule (check_no, location_no, parallel, due_at)
    select c.no, s.location_no, false, s.due_at from checks c, schedule s where c.name = 'Copy'`.execute(server.db)
  await sql`update schedule set due_at = now() - interval '1 hour'`.execute(server.db)
  const startedAtMs = Date.now()
  const { missed } = await moveOn(server)
  assert.equal(missed.length, 2501)
  // One at each end may fall into the hour or beside it, and one while this runs.
  assert.ok(missed.every(({ slots }) => slots >= 60 && slots <= 62))
  const runner = await signInRunner(server)
  // Slots of the present may have fallen due meanwhile.
  const madeUpFor = (await runner.lease()).filter(({ dueAtMs }) => dueAtMs < startedAtMs)
  assert.deepEqual(madeUpFor, [])
})

test('runs on demand wait for a runner however late they are', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  await makeDue(server, check, 60_000)
  await moveOn(server)
  const runner = await signInRunner(server)
  const demanded = (await runner.lease()).filter(({ keepDetail }) => keepDetail)
  assert.equal(demanded.length, 1)
})

test('of a parallel run that lost a location, the others are judged without it', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, {
    runParallel: true,
    locations: ['eu-west-1', 'us-east-1'],
    frequency: 0,
    frequencyOffset: 10,
  })
  await makeDue(server, check)
  const runs = await runner.lease()
  const [here, there] = [
    runs.find(({ location }) => location === 'eu-west-1'),
    runs.find(({ location }) => location === 'us-east-1'),
  ]
  assert.ok(here !== undefined && there !== undefined)
  await runner.report(here, 'failed')
  assert.deepEqual(await alertsOf(server, check), [], 'the other location may still bring a result')

  await server.db
    .updateTable('schedule')
    .set({ lease_id: null, runner_id: null, leased_at: null, losses: 3, due_at: new Date(Date.now() - 6000) })
    .where('lease_id', 'is not', null)
    .execute()
  await moveOn(server)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  await moveOn(server)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  assert.equal((await resultsOf(server, check)).length, 1)
})

async function moveOn(server: TestServer): Promise<LateOutcome> {
  const { db, locations, recording } = server
  const parts = {
    db,
    view: await locations(),
    onGivenUp: (tx: Db, runs: readonly GivenUpRun[]) => recordGivenUp(tx, recording, runs),
  }
  return moveOnLateRuns(parts, Date.now())
}
