import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ApiCheck, type ApiCheckCreate, routes, type Verdict } from '@vedette/schema'
import { followMaintenance } from '../scheduling/maintenance.ts'
import { makeCheck, makeDue } from '../testing/checks.ts'
import { aReport, signInRunner } from '../testing/fake-runner.ts'
import { makeService } from '../testing/pages.ts'
import { startTestServer } from '../testing/test-server.ts'
import { releaseHeld } from './release-held.ts'
import { sendReminders } from './reminders.ts'

/** Checks that are told of by a webhook; a gateway, and what depends on it. */
async function aShop(t: TestContext) {
  const server = await startTestServer(t)
  const webhook = { type: 'WEBHOOK' as const, config: { name: 'pager', url: 'http://pager.test/' } }
  await server.call(routes.createAlertChannel, { body: webhook })
  const runner = await signInRunner(server)
  const make = (name: string, parents: readonly ApiCheck[], rest: Partial<ApiCheckCreate> = {}) =>
    makeCheck(server, { name, dependsOn: parents.map(({ id }) => id), ...rest })
  const gateway = await make('Gateway', [], { tags: ['edge'] })
  const shop = {
    ...{ server, make, gateway, runner },
    /** Reported at once, in the order given. */
    async end(...ends: (readonly [ApiCheck, Verdict])[]) {
      for (const [check] of ends) await makeDue(server, check)
      const runs = new Map((await runner.lease()).map((run) => [run.checkId, run]))
      const reports = ends.map(([check, verdict], place) => {
        const run = runs.get(check.id) ?? assert.fail()
        return aReport(run, verdict, { startedAtMs: Date.now() - 200 + place })
      })
      await runner.reportAll(reports)
    },
    async told() {
      const rows = await server.db.deleteFrom('notifications').returning(['message', 'created_at', 'id']).execute()
      return rows
        .map(({ message }) => `${message.ALERT_TITLE}${message.HELD_CHECKS === '' ? '' : ` (${message.HELD_CHECKS})`}`)
        .sort()
    },
    /** As the periodic task does it, so much later. */
    async later(minutes: number) {
      server.recording.clock.nowMs = () => Date.now() + minutes * 60_000
      const released = await releaseHeld(server.recording)
      server.recording.clock.nowMs = () => Date.now()
      return released
    },
    async why(check: Pick<ApiCheck, 'id'>) {
      const query = { to: String(Date.now() + 1_200_000) }
      const decisions = await server.call(routes.listAlertDecisions, { params: { id: check.id }, query })
      return decisions.map(({ words }) => words)
    },
  }
  return shop
}

const HELD = 'Not told: “Gateway”, which it depends on, fails.'

test('what a failing check brings down is held, and told once when that is well and this is not', async (t) => {
  const { gateway, make, end, told, why } = await aShop(t)
  const orders = await make('Orders', [gateway])
  await end([gateway, 'failed'])
  await end([orders, 'failed'])
  await end([orders, 'failed'])
  assert.deepEqual(await told(), ['Gateway has failed'])
  assert.deepEqual(await why(orders), [HELD, HELD])
  await end([gateway, 'passed'])
  assert.deepEqual(await told(), ['Gateway has recovered (Orders)'], 'it says what is still in trouble')
  await end([orders, 'failed'])
  await end([orders, 'failed'])
  assert.deepEqual(await told(), ['Orders is still failing'])
  await end([orders, 'passed'])
  assert.deepEqual(await told(), ['Orders has recovered'])
})

test('what recovers while it is held is told of by nobody', async (t) => {
  const { gateway, make, end, told, why } = await aShop(t)
  const orders = await make('Orders', [gateway])
  await end([gateway, 'failed'])
  await end([orders, 'degraded'])
  await end([orders, 'failed'])
  await end([orders, 'passed'])
  await end([gateway, 'passed'])
  await end([orders, 'passed'])
  assert.deepEqual(await told(), ['Gateway has failed', 'Gateway has recovered'])
  const [end_] = await why(orders)
  assert.equal(end_, 'Not told: it is no longer failing, which was held because of a check that it depends on.')
})

test('of one batch what others depend on is judged first, through checks in between too', async (t) => {
  const { gateway, make, end, told } = await aShop(t)
  const router = await make('Router', [gateway])
  const orders = await make('Orders', [router])
  const search = await make('Search', [router])
  await end([search, 'failed'], [orders, 'failed'], [router, 'passed'], [gateway, 'failed'])
  assert.deepEqual(await told(), ['Gateway has failed (Orders and Search)'])
  await end([router, 'failed'], [gateway, 'passed'])
  assert.deepEqual(await told(), ['Gateway has recovered (Orders and Search)', 'Router has failed (Orders and Search)'])
})

test('a failure that is tried once more holds already, and nothing is lost when it comes to nothing', async (t) => {
  const { server, make, end, told, why, runner } = await aShop(t)
  const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 30, maxRetries: 1, sameRegion: true } as const
  const gateway = await make('Flaky gateway', [], { retryStrategy })
  const orders = await make('Orders', [gateway])
  await end([gateway, 'failed'])
  await end([orders, 'failed'])
  assert.deepEqual(await told(), [])
  assert.deepEqual(await why(orders), [
    'Not told: “Flaky gateway”, which it depends on, is being tried once more after a failure.',
  ])
  await makeDue(server, gateway)
  await runner.report(await runner.leaseOne(), 'passed')
  await end([orders, 'failed'])
  assert.deepEqual(await told(), ['Orders is still failing'])
})

test('a check of which nobody hears holds nothing: paused, muted or in maintenance', async (t) => {
  const { server, gateway, make, end, told } = await aShop(t)
  await end([gateway, 'failed'])
  const change = (body: { muted?: boolean; activated?: boolean }) =>
    server.call(routes.updateApiCheck, { params: { id: gateway.id }, body })
  await change({ muted: true })
  await end([await make('One', [gateway]), 'failed'])
  await change({ muted: false, activated: false })
  await end([await make('Two', [gateway]), 'failed'])
  // What is switched on again begins anew.
  await change({ activated: true })
  await end([gateway, 'failed'])
  const [startsAt, endsAt] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString())
  const body = { name: 'Release', startsAt: startsAt ?? '', endsAt: endsAt ?? '', tags: ['edge'] }
  const { id } = await server.call(routes.createMaintenanceWindow, { body })
  await followMaintenance(server.db, Date.now())
  await end([await make('Three', [gateway]), 'failed'])
  assert.deepEqual(await told(), [
    'Gateway has failed',
    'Gateway has failed',
    'One has failed',
    'Three has failed',
    'Two has failed',
  ])
  await server.call(routes.deleteMaintenanceWindow, { params: { id } })
  await followMaintenance(server.db, Date.now())
  await end([await make('Four', [gateway]), 'failed'])
  assert.deepEqual(await told(), [])
})

test('what is held opens no incident and is not reminded of', async (t) => {
  const { server, gateway, make, end, told, why } = await aShop(t)
  await server.setAlertSettings({ reminders: { amount: 3, interval: 10 } })
  const { id: serviceId } = await makeService(server)
  const triggerIncident = {
    ...{ serviceId, severity: 'MAJOR' as const, name: 'Orders are down' },
    ...{ description: '', notifySubscribers: false },
  }
  const orders = await make('Orders', [gateway], { triggerIncident })
  const late = await make('Late', [gateway])
  await end([late, 'failed'])
  await end([gateway, 'failed'])
  await end([orders, 'failed'])
  const incidents = async () => (await server.call(routes.listStatusPageIncidents)).entries.length
  assert.equal(await incidents(), 0)
  await told()
  server.recording.clock.nowMs = () => Date.now() + 601_000
  await sendReminders(server.recording)
  assert.deepEqual(await told(), ['Gateway is still failing (Orders)'])
  const { rule, inputs } =
    (
      await server.call(routes.listAlertDecisions, {
        params: { id: late.id },
        query: { to: String(Date.now() + 3_600_000) },
      })
    )[0] ?? assert.fail()
  assert.equal(rule, 'parent-failing')
  assert.deepEqual(inputs.parent, { checkId: gateway.id, name: 'Gateway', isBeingTried: false })
  assert.equal((await why(orders))[0], HELD)
  await end([gateway, 'passed'])
  await end([orders, 'failed'])
  assert.equal(await incidents(), 1)
})

test('heartbeats depend and are depended on in the same way', async (t) => {
  const { server, gateway, end, told } = await aShop(t)
  const body = { name: 'Backup', heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } } as const
  const backup = await server.call(routes.createHeartbeatCheck, { body: { ...body, dependsOn: [gateway.id] } })
  const pingToken = backup.heartbeat.pingToken ?? assert.fail()
  await end([gateway, 'failed'])
  await server.call(routes.pingFail, { params: { pingToken } })
  assert.deepEqual(await told(), ['Gateway has failed'])
  await end([gateway, 'passed'])
  await server.call(routes.pingFail, { params: { pingToken } })
  const report = await makeCheck(server, { name: 'Report', dependsOn: [backup.id] })
  await end([report, 'failed'])
  assert.deepEqual(await told(), ['Backup is still failing', 'Gateway has recovered (Backup)'])
})

const STILL_FAILS = 'Told: it is still failing, and nothing that it depends on holds it back any more.'

test('what is held is told without a run of its own when what it depends on is well, once', async (t) => {
  const { server, gateway, end, told, why, later } = await aShop(t)
  await server.setAlertSettings({ reminders: { amount: 3, interval: 10 } })
  const { id: serviceId } = await makeService(server)
  const triggerIncident = {
    ...{ serviceId, severity: 'MAJOR' as const, name: 'No backup' },
    ...{ description: '', notifySubscribers: false },
  }
  const body = {
    ...{ name: 'Backup', heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } as const },
    ...{ dependsOn: [gateway.id], triggerIncident },
  } as const
  const backup = await server.call(routes.createHeartbeatCheck, { body })
  const pingToken = backup.heartbeat.pingToken ?? assert.fail()
  await end([gateway, 'failed'])
  await server.call(routes.pingFail, { params: { pingToken } })
  assert.equal(await later(60), 0, 'its parent still fails, and people know')
  await end([gateway, 'passed'])
  await told()
  const released = await Promise.all(Array.from({ length: 4 }, () => releaseHeld(server.recording)))
  assert.equal(
    released.reduce((sum, count) => sum + count),
    1,
  )
  assert.deepEqual(await told(), ['Backup is still failing'])
  assert.deepEqual(await why(backup), [STILL_FAILS, HELD])
  assert.equal((await server.call(routes.listStatusPageIncidents)).entries.length, 1)
  const alert = await server.db.selectFrom('check_alerts').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  assert.ok(alert.error, 'the message says what the failure was')
  assert.equal(await releaseHeld(server.recording), 0)
  server.recording.clock.nowMs = () => Date.now() + 601_000
  await sendReminders(server.recording)
  assert.deepEqual(await told(), ['Backup is still failing'], 'reminders have begun')
  server.recording.clock.nowMs = () => Date.now()
  await server.call(routes.ping, { params: { pingToken } })
  assert.deepEqual(await told(), ['Backup has recovered'])
  const incidents = (await server.call(routes.listStatusPageIncidents)).entries
  assert.deepEqual(
    incidents.map(({ lastUpdateStatus }) => lastUpdateStatus),
    ['RESOLVED'],
  )
})

test('a check that runs soon after its parent has recovered has its run first, but is not waited for without end', async (t) => {
  const { server, gateway, make, end, told, later } = await aShop(t)
  const [soon, rare] = [
    await make('Soon', [gateway], { frequency: 1 }),
    await make('Rare', [gateway], { frequency: 1440 }),
  ]
  await end([gateway, 'failed'])
  await end([soon, 'failed'], [rare, 'failed'])
  await end([gateway, 'passed'])
  await told()
  await server.db
    .updateTable('schedule')
    .set({ due_at: new Date(Date.now() + 3_600_000) })
    .where('check_no', '=', (eb) => eb.selectFrom('checks').select('no').where('id', '=', rare.id))
    .execute()
  assert.equal(await later(0), 1)
  assert.deepEqual(await told(), ['Rare is still failing'])
  await end([soon, 'error'])
  assert.equal(await later(4), 0)
  assert.equal(await later(6), 1)
  assert.deepEqual(await told(), ['Soon is still failing'])
  await end([soon, 'failed'])
  assert.deepEqual(await told(), [], 'a run says nothing new')
  await end([soon, 'passed'])
  assert.deepEqual(await told(), ['Soon has recovered'])
})

test('a parent of which nobody was told holds for five minutes: below its threshold, or without channels', async (t) => {
  const { server, make, end, told, later, why } = await aShop(t)
  const alertSettings = {
    ...{ escalationType: 'RUN_BASED' as const, runBasedEscalation: { failedRunThreshold: 3 as const } },
    ...{ reminders: { amount: 0 as const, interval: 5 as const } },
  }
  const slow = await make('Slow', [], { useGlobalAlertSettings: false, alertSettings })
  const silent = await make('Silent', [])
  const channels = await server.call(routes.listAlertChannels)
  const alertChannelSubscriptions = channels.map(({ id }) => ({ alertChannelId: id, activated: false }))
  await server.call(routes.updateApiCheck, { params: { id: silent.id }, body: { alertChannelSubscriptions } })
  const [one, two] = [await make('One', [slow]), await make('Two', [silent])]
  await end([slow, 'failed'], [silent, 'failed'], [one, 'failed'], [two, 'failed'])
  assert.deepEqual(await told(), [])
  assert.equal(await later(4), 0)
  assert.equal(await later(6), 2)
  assert.deepEqual(await told(), ['One is still failing', 'Two is still failing'])
  assert.equal((await why(one))[0], STILL_FAILS)
})

test('maintenance of what is held is waited for, a muted check tells nobody, and one that is switched off nothing', async (t) => {
  const { server, gateway, make, end, told, later, why } = await aShop(t)
  const upkeep = await make('Upkeep', [gateway], { tags: ['db'] })
  const [muted, off] = [await make('Muted', [gateway]), await make('Off', [gateway])]
  await end([gateway, 'failed'])
  await end([upkeep, 'failed'], [muted, 'failed'], [off, 'failed'])
  await end([gateway, 'passed'])
  await told()
  const change = (check: ApiCheck, body: { muted?: boolean; activated?: boolean }) =>
    server.call(routes.updateApiCheck, { params: { id: check.id }, body })
  await change(muted, { muted: true })
  await change(off, { activated: false })
  const [startsAt, endsAt] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString())
  const body = { name: 'Release', startsAt: startsAt ?? '', endsAt: endsAt ?? '', tags: ['db'] }
  const { id } = await server.call(routes.createMaintenanceWindow, { body })
  await followMaintenance(server.db, Date.now())
  assert.equal(await later(10), 1)
  assert.deepEqual(await told(), [])
  assert.match((await why(muted))[0] ?? '', /^Not told because the check was muted/)
  assert.equal((await why(upkeep))[0]?.startsWith('Told'), false)
  await server.call(routes.deleteMaintenanceWindow, { params: { id } })
  await followMaintenance(server.db, Date.now())
  assert.equal(await later(10), 1)
  assert.deepEqual(await told(), ['Upkeep is still failing'])
})

test('what recovered while it was held is not told afterwards', async (t) => {
  const { gateway, make, end, told, later } = await aShop(t)
  const orders = await make('Orders', [gateway])
  await end([gateway, 'failed'])
  await end([orders, 'failed'])
  await end([gateway, 'passed'])
  await end([orders, 'passed'])
  await told()
  assert.equal(await later(60), 0)
  assert.deepEqual(await told(), [])
})

test('a run and the release in the same moment tell of it once', async (t) => {
  const { server, gateway, make, end, told, runner } = await aShop(t)
  const orders = await make('Orders', [gateway], { frequency: 1440 })
  await end([gateway, 'failed'])
  await end([orders, 'failed'])
  await end([gateway, 'passed'])
  await told()
  await makeDue(server, orders)
  const run = await runner.leaseOne()
  server.recording.clock.nowMs = () => Date.now() + 600_000
  await Promise.all([runner.report(run, 'failed'), releaseHeld(server.recording), releaseHeld(server.recording)])
  assert.deepEqual(await told(), ['Orders is still failing'])
})

test('when the release fails on its way, it is made up for', async (t) => {
  const { server, gateway, make, end, told, later } = await aShop(t)
  const orders = await make('Orders', [gateway])
  await end([gateway, 'failed'])
  await end([orders, 'failed'])
  await end([gateway, 'passed'])
  await told()
  const { recording } = server
  const clock = { ...recording.clock, nowMs: () => Date.now() + 600_000 }
  const enqueueAlerts: typeof recording.enqueueAlerts = async (...given) => {
    await recording.enqueueAlerts(...given)
    throw new Error('gone')
  }
  await assert.rejects(releaseHeld({ ...recording, clock, enqueueAlerts }), /gone/)
  assert.deepEqual(await told(), [])
  assert.equal(await later(10), 1)
  assert.deepEqual(await told(), ['Orders is still failing'])
})

test('a parent that has failed for long and is told of with this very batch holds', async (t) => {
  const { server, make, end, told, later } = await aShop(t)
  await server.setAlertSettings({ escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 2 } })
  const gateway = await make('Slow gateway', [])
  const orders = await make('Orders', [gateway])
  await end([gateway, 'failed'], [orders, 'failed'])
  await server.db
    .updateTable('check_states')
    .set({ since: new Date(Date.now() - 600_000) })
    .execute()
  await end([orders, 'failed'], [gateway, 'failed'])
  assert.deepEqual(await told(), ['Slow gateway is still failing (Orders)'])
  assert.equal(await later(60), 0)
})
