/** The settings by which a check runs: its own, its group's and its account's put together. */
import Type, { type Static } from 'typebox'
import { AlertSettings } from './alert-settings.ts'
import { RetryStrategy } from './retry-strategy.ts'
import { Nullable, ShownVariable, Uuid } from './shape.ts'

/** Where a setting comes from. Lists can come from several places. */
export const SETTING_LEVELS = ['account', 'group', 'check'] as const
export const SettingLevel = Type.Enum(SETTING_LEVELS)
export type SettingLevel = Static<typeof SettingLevel>

const from = <T extends Type.TSchema>(value: T) => Type.Object({ value, from: Type.Array(SettingLevel) })

export const EffectiveSettings = Type.Object({
  activated: from(Type.Boolean()),
  muted: from(Type.Boolean()),
  tags: from(Type.Array(Type.String())),
  locations: from(Type.Array(Type.String())),
  privateLocations: from(Type.Array(Type.String())),
  runParallel: from(Type.Boolean()),
  retryStrategy: from(Nullable(RetryStrategy)),
  alertSettings: from(AlertSettings),
  runtimeId: from(Type.String()),
  dependsOn: from(Type.Array(Uuid)),
  request: Type.Optional(
    from(Type.Unknown({ description: 'The request with the defaults of the group; of API checks.' })),
  ),
  environmentVariables: Type.Optional(
    from(
      Type.Array(ShownVariable, {
        description:
          'Of kinds that have variables: those of the group that the check does not name, then its own. Runs see the variables of the account below them.',
      }),
    ),
  ),
})
export type EffectiveSettings = Static<typeof EffectiveSettings>
