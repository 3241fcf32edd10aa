/** The settings by which a check runs, each with where it comes from. */
import type { EffectiveSettings } from '@vedette/schema'
import { getAccount } from '../../auth/store.ts'
import { alertSettingsOf, type OpenCheck, parentsOf, retryStrategyOf } from '../../checks/check.ts'
import { decide } from '../../checks/in-force.ts'
import { openGroup } from '../../checks/settings-secrets.ts'
import { findGroup } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { shownVariables, withoutLocked } from './present.ts'

export async function effectiveOf(
  db: Db,
  secrets: Secrets,
  check: OpenCheck,
  showLocked: boolean,
): Promise<EffectiveSettings> {
  const group = check.groupId === null ? undefined : await findGroup(db, check.accountId, check.groupId)
  const account = await getAccount(db, check.accountId)
  const { sources, ...settings } = decide(check, group === undefined ? null : openGroup(secrets, group))
  return {
    activated: { value: settings.activated, from: sources.activated },
    muted: { value: settings.muted, from: sources.muted },
    tags: { value: [...settings.tags], from: sources.tags },
    locations: { value: [...settings.locations], from: sources.locations },
    privateLocations: { value: [...settings.privateLocations], from: sources.privateLocations },
    runParallel: { value: settings.runParallel, from: sources.runParallel },
    retryStrategy: {
      value: retryStrategyOf({
        doubleCheck: settings.doubleCheck,
        ...(settings.retryStrategy === undefined ? {} : { retryStrategy: settings.retryStrategy }),
      }),
      from: sources.retryStrategy,
    },
    alertSettings: { value: alertSettingsOf(settings, account.alertSettings), from: sources.alertSettings },
    runtimeId: { value: settings.runtimeId ?? account.runtimeId, from: sources.runtimeId },
    dependsOn: { value: parentsOf(check.settings), from: ['check'] },
    ...(settings.request === null
      ? {}
      : {
          request: {
            value: showLocked ? settings.request : withoutLocked(settings.request),
            from: sources.request,
          },
        }),
    ...(settings.environmentVariables === null
      ? {}
      : {
          environmentVariables: {
            value: shownVariables(settings.environmentVariables, showLocked),
            from: sources.environmentVariables,
          },
        }),
  }
}
