/** Accounts: what belongs together, with settings that its checks start from. */
import { type Account, type AccountUpdate, AlertSettings, DATA_CENTERS, routes } from '@vedette/schema'
import { AppError, invalidField, notFound } from '../../app-error.ts'
import { getAccount, membershipsOf } from '../../auth/store.ts'
import type { Db } from '../../db/database.ts'
import type { Serve } from '../serve.ts'
import { complete } from '../validation.ts'
import * as store from './accounts-store.ts'
import { invite } from './invitations.ts'
import { addMember, isPerson } from './members-store.ts'

export function serveAccounts(serve: Serve, db: Db): void {
  serve(routes.listAccounts, async ({ caller }) => {
    const memberships = caller.userId === null ? [caller] : await membershipsOf(db, caller.userId)
    return Promise.all(memberships.map(({ accountId }) => getAccount(db, accountId)))
  })

  serve(routes.getMyAccount, ({ caller }) => getAccount(db, caller.accountId))

  // The account of the path is the one that the caller acts in.
  serve(routes.getAccount, ({ caller }) => getAccount(db, caller.accountId))

  serve(routes.getEntitlements, async () => ENTITLEMENTS)

  serve(routes.updateMyAccount, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const locked = await store.lockAccount(tx, caller.accountId)
      if (locked === undefined) throw notFound()
      const { isFirst: _none, ...before } = locked
      const after = changed(before, body)
      await store.saveAccount(tx, after)
      await record(tx, { subject: caller.accountId, before, after })
      return after
    }),
  )

  serve(routes.createAccount, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const { ownerId = null } = body
      if (ownerId !== null && !(await isPerson(tx, ownerId))) throw invalidField('ownerId', 'is not a known person')
      const alertSettings = body.alertSettings && completeAlertSettings(body.alertSettings)
      const id = await store.insertAccount(tx, { ...body, ...(alertSettings === undefined ? {} : { alertSettings }) })
      const account = await getAccount(tx, id)
      await record(tx, { subject: id, after: { ...account, ownerId } })
      if (ownerId === null) return { ...account, invitation: await invite(tx, id, caller.userId, 'OWNER', null) }
      await addMember(tx, id, ownerId, 'OWNER')
      return { ...account, invitation: null }
    }),
  )

  serve(routes.deleteAccount, async ({ params, record }) => {
    await db.transaction().execute(async (tx) => {
      const locked = await store.lockAccount(tx, params.accountId)
      if (locked === undefined) throw notFound()
      const { isFirst, ...before } = locked
      if (isFirst) throw new AppError('conflict', 'The first account runs the installation and stays.')
      await store.deleteAccount(tx, before.id)
      await record(tx, { before })
    })
    return null
  })
}

/** What is absent stays; settings that we do not know are kept for whoever does. */
function changed(account: Account, update: AccountUpdate): Account {
  return {
    id: account.id,
    name: update.name?.trim() ?? account.name,
    runtimeId: update.runtimeId ?? account.runtimeId,
    settings: { ...account.settings, ...update.settings },
    alertSettings: update.alertSettings ? completeAlertSettings(update.alertSettings) : account.alertSettings,
  }
}

function completeAlertSettings(settings: AlertSettings): AlertSettings {
  // Validated before; `complete` only drops and fills in.
  return complete(AlertSettings, settings) as AlertSettings
}

const FEATURES: readonly (readonly [key: string, name: string, description: string])[] = [
  ['API_CHECKS', 'API checks', 'HTTP requests with assertions.'],
  ['PRIVATE_LOCATIONS', 'Private locations', 'Runners in networks of your own.'],
  ['PARALLEL_SCHEDULING', 'Parallel runs', 'All locations of a check at once.'],
  ['RETRIES', 'Retries', 'Further attempts before a run has failed.'],
  ['ALERT_CHANNELS', 'Alert channels', 'Messages to people and services.'],
  ['SERVICE_KEYS', 'Service keys', 'Keys that belong to the account.'],
  ['AUDIT_LOG', 'Audit log', 'Who changed what.'],
]

const ENTITLEMENTS = {
  plan: 'SELF_HOSTED',
  planDisplayName: 'Self-hosted',
  addons: [],
  locations: [...DATA_CENTERS],
  entitlements: FEATURES.map(([key, name, description]) => ({
    key,
    name,
    description,
    type: 'flag' as const,
    enabled: true,
  })),
}
