/** Alert channels and their subscriptions. */
import { egressPolicy } from '@vedette/core'
import { type AlertChannel, channelSetUp, routes } from '@vedette/schema'
import type { ChannelSettings } from '../../alerting/channels/channel-settings.ts'
import { maskedConfig } from '../../alerting/mask-config.ts'
import { testChannel } from '../../alerting/test-channel.ts'
import { notFound } from '../../app-error.ts'
import { type Caller, mayReadLocked } from '../../auth/caller.ts'
import { lockConfiguration } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import { readChannel } from './channel-body.ts'
import * as store from './store.ts'
import * as subscriptions from './subscriptions-store.ts'

export interface AlertChannelParts {
  db: Db
  secrets: Secrets
  mailer: Mailer | null
  channels: ChannelSettings
  /** Networks as CIDR. */
  egress: { allow: readonly string[]; deny: readonly string[] }
  /** Where the sample messages lead. */
  alertsPage: string
}

export function serveAlertChannels(serve: Serve, parts: AlertChannelParts): void {
  const { db, secrets } = parts
  const { allow, deny } = parts.egress
  const egress = egressPolicy('channel', { allow: [...allow], deny: [...deny] })

  serve(routes.createAlertChannel, ({ body, caller, record }) => {
    const channel = readChannel(body)
    return db.transaction().execute(async (tx) => {
      const { fallbackChannelId } = channel
      if (fallbackChannelId) await store.assertFallback(tx, caller.accountId, null, fallbackChannelId)
      const id = await store.insertChannel(tx, secrets, caller.accountId, channel)
      await subscriptions.replaceSubscriptions(tx, caller.accountId, id, body.subscriptions ?? [])
      const made = await find(tx, secrets, caller, id)
      await record(tx, { subject: String(id), after: masked(made) })
      return visible(made, caller)
    })
  })

  serve(routes.updateAlertChannel, ({ body, params, caller, record }) =>
    db.transaction().execute(async (tx) => {
      await lockConfiguration(tx, caller.accountId)
      if (!(await store.lockChannel(tx, caller.accountId, params.id))) throw notFound()
      const before = await find(tx, secrets, caller, params.id)
      const channel = readChannel(body, before)
      const { fallbackChannelId } = channel
      if (fallbackChannelId) await store.assertFallback(tx, caller.accountId, params.id, fallbackChannelId)
      await store.replaceChannel(tx, secrets, caller.accountId, params.id, channel)
      if (body.subscriptions !== undefined) {
        await subscriptions.replaceSubscriptions(tx, caller.accountId, params.id, body.subscriptions)
      }
      const after = await find(tx, secrets, caller, params.id)
      await record(tx, { before: masked(before), after: masked(after) })
      return visible(after, caller)
    }),
  )

  serve(routes.listAlertChannels, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { channels, total } = await store.listChannels(db, secrets, caller.accountId, page)
    tellPage(request, reply, page, channels.length, total)
    return channels.map((channel) => visible(channel, caller))
  })

  serve(routes.getAlertChannel, async ({ params, caller }) =>
    visible(await find(db, secrets, caller, params.id), caller),
  )

  serve(routes.deleteAlertChannel, ({ params, caller, record }) =>
    db.transaction().execute(async (tx) => {
      if (!(await store.lockChannel(tx, caller.accountId, params.id))) throw notFound()
      const before = await find(tx, secrets, caller, params.id)
      await store.deleteChannel(tx, caller.accountId, params.id)
      await record(tx, { before: masked(before) })
      return null
    }),
  )

  serve(routes.testAlertChannel, async ({ params, body, caller, record, over }) => {
    const { alertType = 'ALERT_FAILURE' } = body
    // Who asked for it, before it is on its way.
    const channel = await db.transaction().execute(async (tx) => {
      const found = await find(tx, secrets, caller, params.id)
      await record(tx, { after: { alertType } })
      return found
    })
    const { channels: settings, mailer, alertsPage } = parts
    return testChannel(channel, alertType, { settings, mailer, egress, alertsPage, over: over() })
  })

  serve(routes.subscribe, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      if (!(await store.lockChannel(tx, caller.accountId, params.id))) throw notFound()
      const before = await subscriptions.findSubscription(tx, params.id, body)
      const after = await subscriptions.putSubscription(tx, caller.accountId, params.id, body)
      await record(tx, { before, after })
      return after
    }),
  )
}

async function find(db: Db, secrets: Secrets, caller: Caller, id: number): Promise<AlertChannel> {
  const channel = await store.findChannel(db, secrets, caller.accountId, id)
  if (channel === undefined) throw notFound()
  return channel
}

const visible = (channel: AlertChannel, caller: Caller) => (mayReadLocked(caller) ? channel : masked(channel))

const masked = (channel: AlertChannel): AlertChannel => ({
  ...channel,
  ...channelSetUp(channel.type, maskedConfig(channel.type, channel.config)),
})
