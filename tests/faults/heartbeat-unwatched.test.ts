import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type HeartbeatEvent, routes } from '@vedette/schema'
import { until } from '../start-vedette.ts'
import { Api } from './api.ts'
import { Installation } from './installation.ts'
import { RECEIVER_TEMPLATE, startReceiver } from './surroundings.ts'

/** Seconds: the shortest period, and a grace that is long against what a restart takes. */
const PERIOD = 30
const GRACE = 12

test('a server that is killed while deadlines pass tells each missed ping once, and invents none', async (t) => {
  const installation = await Installation.start(t)
  const receiver = await startReceiver(t)
  const api = new Api(installation.url, installation.apiKey)
  await api.call(routes.createAlertChannel, {
    body: { type: 'WEBHOOK', config: { name: 'receiver', url: receiver.url, template: RECEIVER_TEMPLATE } },
  })
  const aHeartbeat = async (name: string, period: number) => {
    const heartbeat = { period, periodUnit: 'seconds', grace: GRACE, graceUnit: 'seconds' } as const
    const { id, heartbeat: made } = await api.call(routes.createHeartbeatCheck, { body: { name, heartbeat } })
    const ping = async () => void (await fetch(`${installation.url}/ping/${made.pingToken}`))
    return { id, ping }
  }
  const eventsOf = async (checkId: string): Promise<HeartbeatEvent[]> =>
    (await api.call(routes.listHeartbeatEvents, { params: { checkId } }))[0]?.events.toReversed() ?? []
  const statesOf = async (checkId: string) => (await eventsOf(checkId)).map(({ state }) => state)

  // Overdue when the server is killed; due while it is away; never pinged; and not due at all.
  const overdue = await aHeartbeat('Overdue', PERIOD)
  const dueMeanwhile = await aHeartbeat('Due meanwhile', PERIOD + 15)
  const silent = await aHeartbeat('Never pinged', PERIOD)
  const well = await aHeartbeat('Well', 3600)
  await Promise.all([overdue, dueMeanwhile, well].map(({ ping }) => ping()))
  const timer = await api.call(routes.getHeartbeatTimer, { params: { checkId: overdue.id } })
  const dueMs = Date.parse(timer.dueAt ?? '')
  await wait(dueMs + 9000 - Date.now())
  await installation.killServer()
  await wait(Date.parse(timer.deadlineAt ?? '') + 6000 - Date.now())
  await installation.startServer()
  assert.deepEqual(await statesOf(overdue.id), ['RECEIVED'])

  await until('the overdue ping is missed', async () => (await statesOf(overdue.id)).includes('FAILING'))
  await until('its failure is told', () => receiver.told.length > 0)
  // Killed again right after it: neither the event nor the notification comes twice.
  await installation.killServer()
  await installation.startServer()
  await wait(3000)
  assert.deepEqual(await statesOf(overdue.id), ['RECEIVED', 'FAILING'])
  assert.deepEqual(await statesOf(dueMeanwhile.id), ['RECEIVED'])
  assert.deepEqual(await statesOf(silent.id), [])
  assert.deepEqual(await statesOf(well.id), ['RECEIVED'])
  const notifications = await api.call(routes.listAlertNotifications, {})
  assert.deepEqual(
    notifications.map(({ checkId, alertType }) => [checkId, alertType]),
    [[overdue.id, 'ALERT_FAILURE']],
  )
  await overdue.ping()
  assert.deepEqual(await statesOf(overdue.id), ['RECEIVED', 'FAILING', 'EARLY'])
  assert.deepEqual(api.broken, [])
})
