/** Alert channels, their subscriptions, and the log of what was told. */
import { problemOfTemplate } from '@vedette/core'
import { AlertChannelWrite, routes } from '@vedette/schema'
import { maskedConfig } from '../../alerting/mask-config.ts'
import { listNotifications } from '../../alerting/store.ts'
import { invalidField, notFound } from '../../app-error.ts'
import { type Caller, mayReadLocked } from '../../auth/caller.ts'
import type { Db } from '../../db/database.ts'
import { readWindow } from '../instants.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import { complete } from '../validation.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000

export function serveAlertChannels(serve: Serve, db: Db): void {
  serve(routes.createAlertChannel, ({ body, caller }) => {
    const channel = checked(body)
    return db.transaction().execute(async (tx) => {
      const id = await store.insertChannel(tx, caller.accountId, channel)
      await store.replaceSubscriptions(tx, caller.accountId, id, body.subscriptions ?? [])
      return present(tx, caller, id)
    })
  })

  serve(routes.updateAlertChannel, ({ body, params, caller }) => {
    const channel = checked(body)
    return db.transaction().execute(async (tx) => {
      if (!(await store.replaceChannel(tx, caller.accountId, params.id, channel))) throw notFound()
      if (body.subscriptions !== undefined) {
        await store.replaceSubscriptions(tx, caller.accountId, params.id, body.subscriptions)
      }
      return present(tx, caller, params.id)
    })
  })

  serve(routes.listAlertChannels, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { channels, total } = await store.listChannels(db, caller.accountId, page)
    tellPage(request, reply, page, channels.length, total)
    return channels.map((channel) => visible(channel, caller))
  })

  serve(routes.getAlertChannel, ({ params, caller }) => present(db, caller, params.id))

  serve(routes.deleteAlertChannel, async ({ params, caller }) => {
    if (!(await store.deleteChannel(db, caller.accountId, params.id))) throw notFound()
    return null
  })

  serve(routes.subscribe, ({ params, body, caller }) =>
    db.transaction().execute(async (tx) => {
      await present(tx, caller, params.id)
      return store.putSubscription(tx, caller.accountId, params.id, body)
    }),
  )

  serve(routes.listAlertNotifications, async ({ query, caller, request, reply }) => {
    const window = readWindow(query, { defaultMs: 6 * HOUR_MS, maxMs: 24 * HOUR_MS }, Date.now() + 1000)
    const page = pageOf(query)
    const { rows, total } = await listNotifications(db, caller.accountId, {
      ...window,
      channelId: query.alertChannelId ?? null,
      hasFailures: query.hasFailures ?? null,
      ...page,
    })
    tellPage(request, reply, page, rows.length, total)
    return rows
  })
}

/** Defaults filled in; templates that cannot be read are refused. */
function checked(body: AlertChannelWrite): AlertChannelWrite {
  // Validated before; `complete` only drops and fills in.
  const channel = complete(AlertChannelWrite, body) as AlertChannelWrite
  const { url, template, headers, queryParameters } = channel.config
  const texts = [
    ['config.url', url] as const,
    ['config.template', template ?? ''] as const,
    ...(headers ?? []).map((item, index) => [`config.headers.${index}.value`, item.value] as const),
    ...(queryParameters ?? []).map((item, index) => [`config.queryParameters.${index}.value`, item.value] as const),
  ]
  for (const [field, text] of texts) {
    const problem = problemOfTemplate(text)
    if (problem !== null) throw invalidField(field, problem)
  }
  if (!url.includes('{{') && !/^https?:\/\//i.test(url)) {
    throw invalidField('config.url', 'must begin with http:// or https://')
  }
  return channel
}

async function present(db: Db, caller: Caller, id: number) {
  const channel = await store.findChannel(db, caller.accountId, id)
  if (channel === undefined) throw notFound()
  return visible(channel, caller)
}

function visible<C extends Awaited<ReturnType<typeof store.findChannel>> & object>(channel: C, caller: Caller): C {
  return mayReadLocked(caller) ? channel : { ...channel, config: maskedConfig(channel.type, channel.config) }
}
